//! [`TemplateCache`]: a cache of templates that others name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::TemplateError;
use crate::settings::Settings;
use crate::syntax::{Template, read_part};

/// The templates that others include, import or extend. Their files are read each time, but only parsed again if their
/// content has changed.
#[derive(Default)]
pub struct TemplateCache(Mutex<HashMap<String, (String, Arc<Template>)>>);

/// The maximum number of cached templates.
const MAX_TEMPLATES: usize = 256;

impl TemplateCache {
    /// Returns the template with this name and source.
    pub fn read(&self, name: &str, text: &str, settings: &Arc<Settings>) -> Result<Arc<Template>, TemplateError> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, template)) = known().get(name)
            && before == text
            && template.settings == *settings
        {
            return Ok(template.clone());
        }
        let template = read_part(name, text, settings.clone())?;
        let mut known = known();
        if known.len() >= MAX_TEMPLATES {
            known.clear();
        }
        known.insert(name.to_string(), (text.to_string(), template.clone()));
        Ok(template)
    }
}
