//! Prompts: versioned text files.
//!
//! A file begins with front matter between lines of `---` (`agent` and `version`), then has the sections `# system` and
//! `# user`, which are templates of minijinja. What is filled in is data: it is never read as a template.

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::request::{Message, Role};
use crate::record::sha256_hex;

/// Why a prompt is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// The file is not built as it should be.
    #[error("the prompt {name}: {reason}")]
    Form {
        /// Which file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The template cannot be filled in.
    #[error("the prompt {name}: {reason}")]
    Template {
        /// Which file.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// One version of the prompt of one agent.
#[derive(Debug)]
pub struct Prompt {
    name: String,
    sha256: String,
    templates: Environment<'static>,
}

impl Prompt {
    /// Reads a prompt file of an agent.
    ///
    /// # Errors
    /// Where front matter or sections are missing, it is another agent's, or a template is none.
    pub fn parse(text: &str, agent: &str, file: &str) -> Result<Self, PromptError> {
        let form = |reason: String| PromptError::Form { name: file.to_owned(), reason };
        let rest = text.strip_prefix("---\n").ok_or_else(|| form("no front matter".to_owned()))?;
        let (front, body) = rest.split_once("\n---\n").ok_or_else(|| form("the front matter has no end".to_owned()))?;
        let field = |name: &str| {
            let lines = front.lines().filter_map(|line| line.split_once(':'));
            let value = lines.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).next();
            value.filter(|value| !value.is_empty()).ok_or_else(|| form(format!("no `{name}` in the front matter")))
        };
        if field("agent")? != agent {
            return Err(form(format!("it is for the agent {}, not for {agent}", field("agent")?)));
        }
        let name = format!("{agent}/{}", field("version")?);
        let body =
            body.trim_start().strip_prefix("# system\n").ok_or_else(|| form("no section `# system`".to_owned()))?;
        let (system, user) = body.split_once("\n# user\n").ok_or_else(|| form("no section `# user`".to_owned()))?;
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        for (section, text) in [("system", system), ("user", user)] {
            templates
                .add_template_owned(section, text.trim().to_owned())
                .map_err(|e| PromptError::Template { name: file.to_owned(), reason: e.to_string() })?;
        }
        Ok(Self { name, sha256: sha256_hex(text.as_bytes()), templates })
    }

    /// `critique/1`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the file, in lower-case hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The conversation with everything filled in.
    ///
    /// # Errors
    /// Where the template asks for what the data does not have.
    pub fn messages(&self, data: &impl Serialize) -> Result<Vec<Message>, PromptError> {
        let fill = |section: &str| {
            let told =
                |e: minijinja::Error| PromptError::Template { name: self.name.clone(), reason: format!("{e:#}") };
            self.templates
                .get_template(section)
                .and_then(|template| template.render(minijinja::value::Serde(data)))
                .map_err(told)
        };
        Ok(vec![Message::new(Role::System, fill("system")?), Message::new(Role::User, fill("user")?)])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "---\nagent: critique\nversion: 1\n---\n\n# system\nBe short.\n\n# user\n{{ story }}\n";

    #[test]
    fn data_is_filled_in_and_never_read_as_a_template() {
        let prompt = Prompt::parse(TEXT, "critique", "1.md").expect("a prompt");
        assert_eq!((prompt.name(), prompt.sha256().len()), ("critique/1", 64));
        let messages = prompt.messages(&json!({"story": "{{ secret }} <b>\n# user"})).expect("filled in");
        assert_eq!(messages[0], Message::new(Role::System, "Be short."));
        assert_eq!(messages[1], Message::new(Role::User, "{{ secret }} <b>\n# user"));
        assert!(matches!(prompt.messages(&json!({})), Err(PromptError::Template { .. })));
    }

    #[test]
    fn a_file_that_is_no_prompt_is_refused() {
        for (from, to) in [
            ("---\nagent", "agent"),
            ("critique", "refiner"),
            ("version: 1\n", ""),
            ("\n---\n\n", "\n\n"),
            ("# system", "# System"),
            ("# user", "user"),
            ("{{ story }}", "{{ story"),
        ] {
            assert!(Prompt::parse(&TEXT.replacen(from, to, 1), "critique", "1.md").is_err(), "{from}");
        }
    }
}
