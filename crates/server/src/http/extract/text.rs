//! A string from programs that every database can store. Text from people has its rules in `app::text`.

use serde::Deserialize;
use utoipa::ToSchema;

/// A string without NUL characters, which PostgreSQL cannot store.
#[derive(Default, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, pattern = r"^[^\u0000]*$")]
pub struct Text(String);

impl TryFrom<String> for Text {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.contains('\0') {
            Err("a string cannot contain the NUL character (U+0000): remove it")
        } else {
            Ok(Self(text))
        }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0
    }
}
