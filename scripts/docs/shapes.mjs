// The shapes of the REST API's bodies: a line of words for a type, and a list of properties for an object.
import { escaped } from "./code.mjs";
import { renderLine } from "./markdown.mjs";

const SCHEMAS = "#/components/schemas/";

export const SHAPES_ADDRESS = "/docs/rest/shapes/";

export class Shapes {
  constructor(schemas) {
    this.schemas = schemas;
  }

  /** The name behind a reference. */
  static nameOf(reference) {
    if (!reference.startsWith(SCHEMAS)) throw new Error(`${reference} is no schema.`);
    return reference.slice(SCHEMAS.length);
  }

  named(name) {
    const schema = this.schemas[name];
    if (!schema) throw new Error(`docs/openapi.json has no schema ${name}.`);
    return schema;
  }

  /** A schema's type in a few words, with links to the shapes that it names. */
  words(schema) {
    if (schema.$ref) return this.link(Shapes.nameOf(schema.$ref));
    const some = schema.oneOf ?? schema.anyOf;
    if (some) return some.map((one) => this.words(one)).join(" or ");
    if (schema.allOf) return schema.allOf.map((one) => this.words(one)).join(" with ");
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

  /** A list is told by what it lists: no schema of its own is shown for it. */
  link(name) {
    if (name.startsWith("List_")) return `page of ${this.link(name.slice("List_".length))}`;
    this.named(name);
    return `<a href="${SHAPES_ADDRESS}#${name}">${escaped(name)}</a>`;
  }

  /** What a value has to keep to beside its type. */
  limits(schema) {
    const { minLength, maxLength, minItems, maxItems, minimum, maximum, pattern, format } = schema;
    const parts = [];
    if (minLength !== undefined || maxLength !== undefined) parts.push(`${between(minLength, maxLength)} characters`);
    if (minItems !== undefined || maxItems !== undefined) parts.push(`${between(minItems, maxItems)} items`);
    if (minimum !== undefined || maximum !== undefined) parts.push(between(minimum, maximum));
    if (schema.default !== undefined) parts.push(`default <code>${escaped(JSON.stringify(schema.default))}</code>`);
    if (format && format !== "int32" && format !== "int64") parts.push(escaped(format));
    if (pattern && !HIDDEN_PATTERNS.includes(pattern)) parts.push(`matches <code>${escaped(pattern)}</code>`);
    if (schema.writeOnly) parts.push("never in an answer");
    return parts;
  }

  /** The properties of an object, those of the schemas that it is made of too; empty for what is no object. */
  properties(schema) {
    if (schema.$ref) return this.properties(this.named(Shapes.nameOf(schema.$ref)));
    const own = Object.entries(schema.properties ?? {}).map(([name, one]) => ({
      name,
      schema: one,
      isRequired: schema.required?.includes(name) ?? false,
    }));
    return [...(schema.allOf ?? []).flatMap((one) => this.properties(one)), ...own];
  }

  /** The properties as a list; the text beside a reference counts before that of the schema that it names. */
  list(schema) {
    const items = this.properties(schema).map(({ name, schema: one, isRequired }) => {
      const optional = isRequired ? "" : ` <span class="optional">optional</span>`;
      return `<dt><code>${escaped(name)}</code> <span class="type">${this.words(one)}</span>${optional}</dt><dd>${this.about(one)}</dd>`;
    });
    return items.length === 0 ? "" : `<dl class="properties">${items.join("")}</dl>\n`;
  }

  about(schema) {
    const text = schema.description ?? schema.oneOf?.find((one) => one.description)?.description;
    const limits = this.limits(schema);
    const told = text ? renderLine(text.trim()) : "";
    return told + (limits.length > 0 ? ` <span class="limits">${limits.join(" · ")}</span>` : "");
  }

  /** An example of a shape. */
  example(schema) {
    if (schema.example !== undefined) return schema.example;
    return schema.$ref && this.named(Shapes.nameOf(schema.$ref)).example;
  }
}

/** Any text without the character 0, and what a cursor looks like: no help for a reader. */
const HIDDEN_PATTERNS = ["^[^\\u0000]*$", "^[^\u0000]*$", "^[A-Za-z0-9_-]*$"];

function between(least, most) {
  if (least === undefined || least === 0) return most === undefined ? "at least 0" : `at most ${most}`;
  return most === undefined ? `at least ${least}` : `${least} to ${most}`;
}
