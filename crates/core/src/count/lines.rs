//! Memory in lines of the cache.

use crate::memory::zeros;

/// Bytes of a line.
const BYTES: usize = 64;

/// `N` lines of the cache, at first of zeros. Most of this memory may never be touched.
#[derive(Debug)]
pub struct Lines<const N: usize> {
    memory: Box<[u64]>,
    /// Where the first line begins.
    first: usize,
}

impl<const N: usize> Default for Lines<N> {
    fn default() -> Self {
        let memory = zeros::<u64>((N + 1) * BYTES / 8).into_boxed_slice();
        let first = memory.as_ptr().align_offset(BYTES).min(BYTES / 8);
        Self { memory, first }
    }
}

impl<const N: usize> Lines<N> {
    /// All lines.
    #[inline(always)]
    pub fn all(&self) -> &[[u64; BYTES / 8]; N] {
        let Some(all) = self.memory[self.first..].as_chunks().0.first_chunk() else {
            unreachable!("there is one more")
        };
        all
    }

    /// All lines, to be written.
    #[inline(always)]
    pub fn all_mut(&mut self) -> &mut [[u64; BYTES / 8]; N] {
        let lines = self.memory[self.first..].as_chunks_mut().0;
        let Some(all) = lines.first_chunk_mut() else {
            unreachable!("there is one more")
        };
        all
    }
}
