// The schemas of request and response bodies: types in words, and lists of properties.
import { escaped } from "./code.mjs";
import { renderLine } from "./markdown.mjs";

const SCHEMA_PREFIX = "#/components/schemas/";

export const SCHEMAS_URL = "/docs/rest/schemas/";

export class Schemas {
  constructor(schemas) {
    this.schemas = schemas;
  }

  /** The name of the schema that a reference points to. */
  static nameOf(reference) {
    if (!reference.startsWith(SCHEMA_PREFIX)) throw new Error(`${reference} is not a schema.`);
    return reference.slice(SCHEMA_PREFIX.length);
  }

  named(name) {
    const schema = this.schemas[name];
    if (!schema) throw new Error(`docs/openapi.json has no schema ${name}.`);
    return schema;
  }

  /** A schema's type in a few words, with links to other schemas. */
  words(schema) {
    if (schema.$ref) return this.link(Schemas.nameOf(schema.$ref));
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return alternatives.map((alternative) => this.words(alternative)).join(" or ");
    if (schema.allOf) return schema.allOf.map((part) => this.words(part)).join(" with ");
    const types = [schema.type].flat().filter((type) => type !== undefined);
    if (types.length === 0) return "anything";
    return types.map((type) => this.word(type, schema)).join(" or ");
  }

  word(type, schema) {
    if (type === "array") return `list of ${schema.items ? this.words(schema.items) : "anything"}`;
    if (type === "object") return this.map(schema);
    if (schema.enum && type !== "null")
      return schema.enum.map((value) => `<code>${escaped(JSON.stringify(value))}</code>`).join(" or ");
    return escaped(type);
  }

  map({ properties, additionalProperties, propertyNames }) {
    if (properties || typeof additionalProperties !== "object") return "object";
    const keys = propertyNames ? this.words(propertyNames) : "name";
    return `object: ${keys} → ${this.words(additionalProperties)}`;
  }

  /** Lists have no entry of their own: link to the schema of their items. */
  link(name) {
    if (name.startsWith("List_")) return `page of ${this.link(name.slice("List_".length))}`;
    this.named(name);
    return `<a href="${SCHEMAS_URL}#${name}">${escaped(name)}</a>`;
  }

  /** The restrictions of a value. */
  limits(schema) {
    const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, format } = schema;
    const parts = [];
    if (minLength !== undefined || maxLength !== undefined) parts.push(`${between(minLength, maxLength)} characters`);
    if (minItems !== undefined || maxItems !== undefined) parts.push(`${between(minItems, maxItems)} items`);
    if (minimum !== undefined || maximum !== undefined) parts.push(between(minimum, maximum));
    if (schema.default !== undefined) parts.push(`default <code>${escaped(JSON.stringify(schema.default))}</code>`);
    if (format && format !== "int32" && format !== "int64") parts.push(escaped(format));
    if (pattern && !HIDDEN_PATTERNS.includes(pattern)) parts.push(`matches <code>${escaped(pattern)}</code>`);
    if (schema.writeOnly) parts.push("never returned");
    return parts;
  }

  /** The properties of an object, including those of `allOf`. Empty for other types. */
  properties(schema) {
    if (schema.$ref) return this.properties(this.named(Schemas.nameOf(schema.$ref)));
    const own = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      schema: property,
      isRequired: schema.required?.includes(name) ?? false,
    }));
    return [...(schema.allOf ?? []).flatMap((part) => this.properties(part)), ...own];
  }

  /** The properties as a list. */
  list(schema) {
    const items = this.properties(schema).map(({ name, schema: property, isRequired }) => {
      const optional = isRequired ? "" : ` <span class="optional">optional</span>`;
      const type = `<span class="type">${this.words(property)}</span>`;
      return `<dt><code>${escaped(name)}</code> ${type}${optional}</dt><dd>${this.about(property)}</dd>`;
    });
    return items.length === 0 ? "" : `<dl class="properties">${items.join("")}</dl>\n`;
  }

  /** The description and restrictions. A description beside a reference replaces that of the schema. */
  about(schema) {
    const text = schema.description ?? schema.oneOf?.find((alternative) => alternative.description)?.description;
    const limits = this.limits(schema);
    const description = text ? renderLine(text.trim()) : "";
    return description + (limits.length > 0 ? ` <span class="limits">${limits.join(" · ")}</span>` : "");
  }

  /** An example of a schema, if it has one. */
  example(schema) {
    if (schema.example !== undefined) return schema.example;
    return schema.$ref && this.named(Schemas.nameOf(schema.$ref)).example;
  }
}

/** Patterns that do not help readers: any text without the null character, and cursors. */
const HIDDEN_PATTERNS = ["^[^\\u0000]*$", "^[^\u0000]*$", "^[A-Za-z0-9_-]*$"];

function between(min, max) {
  if (min === undefined || min === 0) return max === undefined ? "at least 0" : `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}
