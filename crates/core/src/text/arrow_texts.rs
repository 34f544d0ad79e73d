//! Arrays of strings in any of Arrow's layouts, read without a copy.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_data::ByteView;
use arrow_schema::DataType;

use crate::error::Error;

/// What is wrong with an invalid column.
pub const PAST: &str = "its offsets point past its buffer";

/// Texts in one of Arrow's layouts for strings.
#[derive(Debug)]
pub enum Texts {
    Small(GenericStringArray<i32>),
    Large(GenericStringArray<i64>),
    Views(StringViewArray),
    /// This many nulls, which take no memory.
    Nulls(usize),
    /// The place of each text in a dictionary, or None for a null.
    Keyed(Vec<Option<usize>>, Box<Self>),
}

impl Texts {
    /// The texts of an array.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] if they are not text.
    pub fn new(array: &ArrayRef) -> Result<Self, Error> {
        match array.data_type() {
            DataType::Utf8 => Ok(Self::Small(array.as_string().clone())),
            DataType::LargeUtf8 => Ok(Self::Large(array.as_string().clone())),
            DataType::Utf8View => Ok(Self::Views(array.as_string_view().clone())),
            DataType::Null => Ok(Self::Nulls(array.len())),
            DataType::Dictionary(keys, _) => match **keys {
                DataType::Int8 => keyed::<Int8Type>(array),
                DataType::Int16 => keyed::<Int16Type>(array),
                DataType::Int32 => keyed::<Int32Type>(array),
                DataType::Int64 => keyed::<Int64Type>(array),
                DataType::UInt8 => keyed::<UInt8Type>(array),
                DataType::UInt16 => keyed::<UInt16Type>(array),
                DataType::UInt32 => keyed::<UInt32Type>(array),
                _ => keyed::<UInt64Type>(array),
            },
            other => Err(Error::WrongType(other.to_string())),
        }
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        match self {
            Self::Small(array) => array.len(),
            Self::Large(array) => array.len(),
            Self::Views(array) => array.len(),
            Self::Nulls(count) => *count,
            Self::Keyed(keys, _) => keys.len(),
        }
    }

    /// A text, or None if it is null.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        match self {
            Self::Small(array) => array.is_valid(index).then(|| slice(array, index))?,
            Self::Large(array) => array.is_valid(index).then(|| slice(array, index))?,
            Self::Views(array) => array.is_valid(index).then(|| view(array, index))?,
            Self::Nulls(_) => None,
            Self::Keyed(keys, values) => values.get(keys[index]?),
        }
    }

    /// Validates all texts.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidUtf8`] (with the text as the line, from 1) or [`Error::BadColumn`].
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Small(array) => check(array),
            Self::Large(array) => check(array),
            Self::Views(array) => {
                (0..array.len()).try_for_each(|index| self.check_one(index, index))
            }
            Self::Nulls(_) => Ok(()),
            Self::Keyed(keys, values) => check_keyed(keys, values),
        }
    }

    /// Validates one text, which is called by another index in errors.
    fn check_one(&self, index: usize, called: usize) -> Result<(), Error> {
        match self {
            Self::Small(array) if array.is_valid(index) => check_text(slice(array, index), called),
            Self::Large(array) if array.is_valid(index) => check_text(slice(array, index), called),
            Self::Views(array) if array.is_valid(index) => check_text(view(array, index), called),
            _ => Ok(()),
        }
    }
}

/// The texts of a dictionary-encoded array.
fn keyed<K>(array: &ArrayRef) -> Result<Texts, Error>
where
    K: ArrowDictionaryKeyType,
    K::Native: TryInto<usize>,
{
    let array = array.as_dictionary::<K>();
    let size = array.values().len();
    let place = |key: Option<K::Native>| match key.map(TryInto::try_into) {
        None => Ok(None),
        Some(Ok(place)) if place < size => Ok(Some(place)),
        Some(_) => Err(Error::BadColumn("a key is not in its dictionary")),
    };
    let keys = array.keys().iter().map(place).collect::<Result<_, _>>()?;
    match Texts::new(array.values())? {
        Texts::Keyed(..) => Err(Error::WrongType(array.data_type().to_string())),
        values => Ok(Texts::Keyed(keys, Box::new(values))),
    }
}

/// Validates the texts of a dictionary that are in use.
fn check_keyed(keys: &[Option<usize>], values: &Texts) -> Result<(), Error> {
    // A slice may use little of a large dictionary.
    if values.len() <= keys.len() && values.check().is_ok() {
        return Ok(());
    }
    let mut rows = keys.iter().enumerate();
    rows.try_for_each(|(row, key)| key.map_or(Ok(()), |place| values.check_one(place, row)))
}

/// A text, or None if its offsets are invalid.
#[inline]
fn slice<O: OffsetSizeTrait>(array: &GenericStringArray<O>, index: usize) -> Option<&[u8]> {
    let offsets = array.value_offsets();
    let range = offsets[index].as_usize()..offsets[index + 1].as_usize();
    array.value_data().get(range)
}

/// The same for views, which contain short texts inline.
#[inline]
fn view(array: &StringViewArray, index: usize) -> Option<&[u8]> {
    const INLINE: usize = 12;
    let view = array.views().get(index)?;
    let view = ByteView::from(*view);
    let length = view.length as usize;
    if length <= INLINE {
        // A view is a length of four bytes, followed by the text or its location.
        let start = array.views().inner().as_slice().get(16 * index + 4..)?;
        return start.get(..length);
    }
    let start = view.offset as usize;
    array
        .data_buffers()
        .get(view.buffer_index as usize)?
        .get(start..start.checked_add(length)?)
}

fn check<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> Result<(), Error> {
    let offsets = array.value_offsets();
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Ok(());
    };
    let all = array.value_data().get(first.as_usize()..last.as_usize());
    // No offset points into the middle of a character.
    let whole = |text: &[u8]| {
        offsets.iter().all(|offset| {
            let next = text.get(offset.as_usize() - first.as_usize());
            next.is_none_or(|byte| byte & 0xC0 != 0x80)
        })
    };
    if offsets.is_sorted()
        && all.is_some_and(|text| simdutf8::basic::from_utf8(text).is_ok() && whole(text))
    {
        return Ok(());
    }
    // The bytes of a null do not matter.
    (0..array.len())
        .filter(|&index| array.is_valid(index))
        .try_for_each(|index| check_text(slice(array, index), index))
}

fn check_text(text: Option<&[u8]>, index: usize) -> Result<(), Error> {
    match simdutf8::compat::from_utf8(text.ok_or(Error::BadColumn(PAST))?) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::InvalidUtf8 {
            line: index as u64 + 1,
            byte: error.valid_up_to() as u64 + 1,
        }),
    }
}
