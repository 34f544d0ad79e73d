//! Counting a corpus on several threads, and collecting facts for warnings on the way.

mod driver;
mod marks;
mod observe;
mod signs;
mod special;

pub use driver::{Finish, HUGE, count_batch, count_batch_while, count_segment};
pub use marks::is_left_over;
pub use observe::Observed;
pub use signs::SIGNS;
