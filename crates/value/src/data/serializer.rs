//! [`ValueSerializer`]: the `serde` serializer behind [`Value::from_data`](crate::Value::from_data).

use num_bigint::BigInt;
use serde_core::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::Mismatch;
use crate::{HashBuilder, Rich, Value};

/// Makes values. Structs become hashes; variants of enums with content become hashes with one key.
pub(super) struct ValueSerializer;

/// A list that is being written; of a variant, if it has a name.
pub(super) struct ListSerializer {
    variant: Option<&'static str>,
    elements: Vec<Value>,
}

/// A hash that is being written.
pub(super) struct EntrySerializer {
    variant: Option<&'static str>,
    entries: HashBuilder,
    /// The key whose value comes next.
    key: Value,
}

impl EntrySerializer {
    fn new(variant: Option<&'static str>) -> EntrySerializer {
        EntrySerializer { variant, entries: HashBuilder::default(), key: Value::Undef }
    }

    fn finish(self) -> Value {
        let number = super::number_of(&self.entries);
        of_variant(self.variant, number.unwrap_or_else(|| Value::Hash(self.entries.into())))
    }
}

impl ListSerializer {
    fn new(variant: Option<&'static str>, length: Option<usize>) -> ListSerializer {
        // A wrong length must not take memory.
        ListSerializer { variant, elements: Vec::with_capacity(length.unwrap_or(0).min(1024)) }
    }

    fn push<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), Mismatch> {
        let index = self.elements.len();
        let element = element.serialize(ValueSerializer).map_err(|error| error.within(&format!("[{index}]")))?;
        self.elements.push(element);
        Ok(())
    }

    fn finish(self) -> Value {
        of_variant(self.variant, self.elements.into())
    }
}

fn of_variant(variant: Option<&'static str>, content: Value) -> Value {
    match variant {
        Some(name) => Value::Hash([(name, content)].into_iter().collect()),
        None => content,
    }
}

impl Serializer for ValueSerializer {
    type Ok = Value;
    type Error = Mismatch;
    type SerializeSeq = ListSerializer;
    type SerializeTuple = ListSerializer;
    type SerializeTupleStruct = ListSerializer;
    type SerializeTupleVariant = ListSerializer;
    type SerializeMap = EntrySerializer;
    type SerializeStruct = EntrySerializer;
    type SerializeStructVariant = EntrySerializer;

    fn serialize_bool(self, value: bool) -> Result<Value, Mismatch> {
        Ok(Value::Boolean(value))
    }

    fn serialize_i8(self, value: i8) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_i16(self, value: i16) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_i32(self, value: i32) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_i64(self, value: i64) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value))
    }

    fn serialize_i128(self, value: i128) -> Result<Value, Mismatch> {
        Ok(BigInt::from(value).into())
    }

    fn serialize_u8(self, value: u8) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_u16(self, value: u16) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_u32(self, value: u32) -> Result<Value, Mismatch> {
        Ok(Value::Integer(value.into()))
    }

    fn serialize_u64(self, value: u64) -> Result<Value, Mismatch> {
        Ok(BigInt::from(value).into())
    }

    fn serialize_u128(self, value: u128) -> Result<Value, Mismatch> {
        Ok(BigInt::from(value).into())
    }

    fn serialize_f32(self, value: f32) -> Result<Value, Mismatch> {
        Ok(Value::Float(value.into()))
    }

    fn serialize_f64(self, value: f64) -> Result<Value, Mismatch> {
        Ok(Value::Float(value))
    }

    fn serialize_char(self, value: char) -> Result<Value, Mismatch> {
        Ok(value.to_string().into())
    }

    fn serialize_str(self, value: &str) -> Result<Value, Mismatch> {
        Ok(value.into())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value, Mismatch> {
        Ok(Value::Rich(Rich::Binary(value.to_vec()).into()))
    }

    fn serialize_none(self) -> Result<Value, Mismatch> {
        Ok(Value::Undef)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Mismatch> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Mismatch> {
        Ok(Value::Undef)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, Mismatch> {
        Ok(Value::Undef)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value, Mismatch> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value, Mismatch> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, Mismatch> {
        Ok(of_variant(Some(variant), value.serialize(ValueSerializer).map_err(|error| error.within(variant))?))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListSerializer, Mismatch> {
        Ok(ListSerializer::new(None, length))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListSerializer, Mismatch> {
        Ok(ListSerializer::new(None, Some(length)))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<ListSerializer, Mismatch> {
        Ok(ListSerializer::new(None, Some(length)))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<ListSerializer, Mismatch> {
        Ok(ListSerializer::new(Some(variant), Some(length)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<EntrySerializer, Mismatch> {
        Ok(EntrySerializer::new(None))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<EntrySerializer, Mismatch> {
        Ok(EntrySerializer::new(None))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<EntrySerializer, Mismatch> {
        Ok(EntrySerializer::new(Some(variant)))
    }
}

impl SerializeSeq for ListSerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Mismatch> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeTuple for ListSerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Mismatch> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeTupleStruct for ListSerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Mismatch> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeTupleVariant for ListSerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Mismatch> {
        self.push(value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeMap for EntrySerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Mismatch> {
        self.key = key.serialize(ValueSerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Mismatch> {
        let key = std::mem::take(&mut self.key);
        let value = value.serialize(ValueSerializer).map_err(|error| error.within(&key.to_text()))?;
        self.entries.insert(key, value);
        Ok(())
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeStruct for EntrySerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Mismatch> {
        self.serialize_entry(key, value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}

impl SerializeStructVariant for EntrySerializer {
    type Ok = Value;
    type Error = Mismatch;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Mismatch> {
        self.serialize_entry(key, value)
    }

    fn end(self) -> Result<Value, Mismatch> {
        Ok(self.finish())
    }
}
