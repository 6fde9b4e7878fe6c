//! Somebody else's reading of schemas.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value as Json;

/// A schema that values are checked with.
pub struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    pub fn new(schema: &Json) -> Validator {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", schema.clone()).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap_or_else(|error| panic!("{schema}: {error}"));
        Validator { schemas, index }
    }

    pub fn is_valid(&self, value: &Json) -> bool {
        self.schemas.validate(value, self.index).is_ok()
    }
}
