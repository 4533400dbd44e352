//! The type of integers in the metadata of a field.

use arrow_schema::extension::ExtensionType;
use arrow_schema::{ArrowError, DataType, Field};
use limbforge_limb::{Base, IntType};

use crate::error::ColumnError;

/// The extension type `limbforge.int`: fixed-size binary values are integers of a type.
///
/// ```
/// use limbforge_arrow::IntExtension;
/// use limbforge_arrow::arrow_schema::{DataType, Field};
/// use limbforge_limb::IntType;
///
/// let field = Field::new("n", DataType::FixedSizeBinary(256), false)
///     .with_extension_type(IntExtension(IntType::unsigned(2048)?));
/// assert_eq!(field.extension_type_name(), Some("limbforge.int"));
/// assert_eq!(field.extension_type_metadata(), Some("u2048"));
/// # Ok::<(), limbforge_limb::WidthError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntExtension(pub IntType);

impl ExtensionType for IntExtension {
    const NAME: &'static str = "limbforge.int";

    type Metadata = IntType;

    fn metadata(&self) -> &IntType {
        &self.0
    }

    /// As [`IntType`] is written: `u2048`, `i131`.
    fn serialize_metadata(&self) -> Option<String> {
        Some(self.0.to_string())
    }

    fn deserialize_metadata(metadata: Option<&str>) -> Result<IntType, ArrowError> {
        let found = metadata.unwrap_or_default();
        let unknown = |_| ColumnError::Metadata { found: found.to_owned() };
        found.parse().map_err(unknown).map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
    }

    fn supports_data_type(&self, data_type: &DataType) -> Result<(), ArrowError> {
        if matches!(data_type, DataType::FixedSizeBinary(_)) {
            return Ok(());
        }
        let error = ColumnError::Kind { found: data_type.clone() };
        Err(ArrowError::InvalidArgumentError(error.to_string()))
    }

    fn try_new(data_type: &DataType, metadata: IntType) -> Result<Self, ArrowError> {
        let extension = Self(metadata);
        extension.supports_data_type(data_type).map(|()| extension)
    }
}

/// The field of a column of [`to_array`](crate::to_array): `M * B::BYTES` bytes per value.
///
/// ```
/// use limbforge_arrow::{arrow_schema::DataType, field};
/// let field = field::<u64>("key", "i131".parse()?, true)?;
/// assert_eq!(field.data_type(), &DataType::FixedSizeBinary(24));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ColumnError::TooWide`] for values of 2^31 bytes and more, which no type has today.
pub fn field<B: Base>(name: &str, ty: IntType, nullable: bool) -> Result<Field, ColumnError> {
    let data_type = DataType::FixedSizeBinary(width::<B>(ty)?);
    Ok(Field::new(name, data_type, nullable).with_extension_type(IntExtension(ty)))
}

/// The type of a field's integers; none if the field has another extension type or none.
///
/// ```
/// use limbforge_arrow::arrow_schema::{DataType, Field};
/// use limbforge_arrow::{field, type_of};
/// let ty = "u2048".parse()?;
/// assert_eq!(type_of(&field::<u32>("n", ty, false)?)?, Some(ty));
/// assert_eq!(type_of(&Field::new("n", DataType::FixedSizeBinary(256), false))?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ColumnError::Metadata`] and [`ColumnError::Kind`] for a field that has the extension type, but no type in
/// its metadata or other data.
pub fn type_of(field: &Field) -> Result<Option<IntType>, ColumnError> {
    if field.extension_type_name() != Some(IntExtension::NAME) {
        return Ok(None);
    }
    let found = field.extension_type_metadata().unwrap_or_default();
    let ty = found.parse().map_err(|_| ColumnError::Metadata { found: found.to_owned() })?;
    match field.data_type() {
        DataType::FixedSizeBinary(_) => Ok(Some(ty)),
        found => Err(ColumnError::Kind { found: found.clone() }),
    }
}

/// Bytes of a value of whole limbs, as Arrow counts them.
pub(crate) fn width<B: Base>(ty: IntType) -> Result<i32, ColumnError> {
    let bytes = ty.limbs::<B>() * B::BYTES;
    i32::try_from(bytes).map_err(|_| ColumnError::TooWide { ty, bytes })
}
