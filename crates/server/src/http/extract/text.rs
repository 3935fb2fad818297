//! A text that programs chose and every database can keep. What people write has its rule in `app::text`.

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
            Err("a text cannot hold the character NUL (U+0000): leave it out")
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
