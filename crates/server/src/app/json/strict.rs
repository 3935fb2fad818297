//! A deserializer around a self-describing format that reads structures from objects only and refuses with [`Refusal`]s.
//!
//! Values inside lists, objects and options are wrapped too, so the rule holds at every depth, for every type.

use std::fmt;

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer as _, MapAccess, SeqAccess, Visitor};

use crate::app::json::refusal::{Refusal, quoted};

const OBJECT: &str = "an object";
const LIST: &str = "a list";
const STRING: &str = "a string";
const WHOLE_NUMBER: &str = "a whole number";

/// The deserializer around that of the format.
pub(super) struct Strict<D>(pub(super) D);

/// The format says what a value is. Its own checks of types have other words.
macro_rules! of_type {
    ($($method:ident => $wanted:expr,)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.any(visitor, $wanted)
        }
    )+};
}

impl<'de, D: Deserializer<'de>> Strict<D> {
    fn any<V: Visitor<'de>>(
        self,
        visitor: V,
        wanted: impl Into<Option<&'static str>>,
    ) -> Result<V::Value, Refusal<D::Error>> {
        let visitor = Checked { visitor, wanted: wanted.into(), is_structure: false };
        self.0.deserialize_any(visitor).map_err(Refusal::Inner)
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = Refusal<D::Error>;

    of_type! {
        deserialize_any => None,
        deserialize_bool => "true or false",
        deserialize_i8 => WHOLE_NUMBER,
        deserialize_i16 => WHOLE_NUMBER,
        deserialize_i32 => WHOLE_NUMBER,
        deserialize_i64 => WHOLE_NUMBER,
        deserialize_u8 => "a whole number from 0 to 255",
        deserialize_u16 => "a whole number from 0 to 65535",
        deserialize_u32 => "a whole number from 0 to 4294967295",
        deserialize_u64 => "a whole number from 0 on",
        deserialize_f32 => "a number",
        deserialize_f64 => "a number",
        deserialize_char => "a string with one character",
        deserialize_str => STRING,
        deserialize_string => STRING,
        deserialize_bytes => STRING,
        deserialize_byte_buf => STRING,
        deserialize_unit => "null",
        deserialize_seq => LIST,
        deserialize_map => OBJECT,
        deserialize_identifier => STRING,
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.deserialize_any(Checked { visitor, wanted: Some(OBJECT), is_structure: true }).map_err(Refusal::Inner)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        self.0.deserialize_option(Checked { visitor, wanted: None, is_structure: false }).map_err(Refusal::Inner)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Self::Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.any(NameOf { visitor, names }, None)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        // Its own method skips a value of any depth.
        let visitor = Checked { visitor, wanted: None, is_structure: false };
        self.0.deserialize_ignored_any(visitor).map_err(Refusal::Inner)
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

/// A visitor whose refusals name what is wanted.
struct Checked<V> {
    visitor: V,
    /// What is wanted, if the visitor's own words are those of a program.
    wanted: Option<&'static str>,
    /// Whether it reads a structure, which a list is not.
    is_structure: bool,
}

macro_rules! visits {
    ($($method:ident: $value:ty,)+) => {$(
        fn $method<E: Error>(self, value: $value) -> Result<V::Value, E> {
            self.visitor.$method(value).map_err(|refusal: Refusal<E>| refusal.pass_on(self.wanted))
        }
    )+};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Checked<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visits! {
        visit_bool: bool,
        visit_i64: i64,
        visit_u64: u64,
        visit_f64: f64,
        visit_str: &str,
        visit_borrowed_str: &'de str,
        visit_string: String,
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit().map_err(|refusal: Refusal<E>| refusal.pass_on(self.wanted))
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none().map_err(|refusal: Refusal<E>| refusal.pass_on(self.wanted))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Strict(deserializer)).map_err(|refusal| refusal.pass_on(self.wanted))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        if self.is_structure {
            let refusal = Refusal::Type { sent: LIST.to_owned(), accepted: OBJECT.to_owned() };
            return Err(refusal.pass_on(self.wanted));
        }
        self.visitor.visit_seq(Entries(list)).map_err(|refusal| refusal.pass_on(self.wanted))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Entries(object)).map_err(|refusal| refusal.pass_on(self.wanted))
    }
}

/// The entries of a list or an object.
struct Entries<A>(A);

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Entries<A> {
    type Error = Refusal<A::Error>;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Self::Error> {
        self.0.next_element_seed(Seed(seed)).map_err(Refusal::Inner)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<A> {
    type Error = Refusal<A::Error>;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Self::Error> {
        self.0.next_key_seed(Seed(seed)).map_err(Refusal::Inner)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Self::Error> {
        self.0.next_value_seed(Seed(seed)).map_err(Refusal::Inner)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Reads an entry strictly too.
struct Seed<T>(T);

impl<'de, T: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T::Value, D::Error> {
        self.0.deserialize(Strict(deserializer)).map_err(|refusal| refusal.pass_on(None))
    }
}

/// Reads an enumeration from the name of a variant alone. In JSON, serde would also read an object with this name.
struct NameOf<V> {
    visitor: V,
    names: &'static [&'static str],
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NameOf<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", quoted(self.names))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<V::Value, E> {
        let name: StrDeserializer<'_, E> = name.into_deserializer();
        self.visitor.visit_enum(name)
    }
}
