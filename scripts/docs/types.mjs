// Reads the exports of a package from its published .d.ts files: each declaration with its comment.
import { readFileSync } from "node:fs";
import ts from "typescript";

const KINDS = {
  [ts.SyntaxKind.InterfaceDeclaration]: "interface",
  [ts.SyntaxKind.TypeAliasDeclaration]: "type",
  [ts.SyntaxKind.FunctionDeclaration]: "function",
  [ts.SyntaxKind.ClassDeclaration]: "class",
};

/**
 * The exports of a file: `{ name, kind, signature, comment, members }` for its own, `{ name, from }` for re-exports, and those
 * with `isImported` for imports. Throws if an export or a member has no comment.
 */
export function readTypes(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const file = new TypesFile(source, path);
  return source.statements.flatMap((statement) => file.exports(statement));
}

class TypesFile {
  constructor(source, path) {
    this.source = source;
    this.path = path;
  }

  exports(statement) {
    if (ts.isImportDeclaration(statement)) return this.imports(statement);
    if (ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier.text;
      return statement.exportClause.elements.map(({ name }) => ({
        name: name.text,
        from,
      }));
    }
    if (ts.isModuleDeclaration(statement)) return statement.body.statements.flatMap((inner) => this.globals(inner));
    if (!isExported(statement)) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map((declaration) => this.value(statement, declaration));
    const kind = KINDS[statement.kind];
    if (!kind)
      throw new Error(`${this.path} has an export that the reference does not support: ${statement.getText()}`);
    return [this.declaration(statement, kind)];
  }

  /** Types of other packages, which the reference can link to. */
  imports({ importClause, moduleSpecifier }) {
    const from = moduleSpecifier.text;
    return importClause.namedBindings.elements.map(({ name }) => ({ name: name.text, from, isImported: true }));
  }

  globals(statement) {
    const { declarations } = statement.declarationList;
    return declarations.map((declaration) => ({ ...this.value(statement, declaration), kind: "global" }));
  }

  declaration(node, kind) {
    const name = node.name.text;
    const comment = this.comment(node, name);
    if (kind === "type" || kind === "function") return { name, kind, comment, signature: this.text(node), members: [] };
    const end = node.members.pos;
    const head = this.source.text.slice(node.getStart(), end).replace(/\s*\{$/, "");
    const members = node.members.flatMap((member) => this.member(member, name));
    return { name, kind, comment, signature: bare(head), members };
  }

  /** A constant. If its type is `Interface["member"]`, that member is shown. */
  value(statement, declaration) {
    const name = declaration.name.text;
    const comment = this.comment(statement, name);
    const { owner, member } = this.resolveIndexedAccess(declaration.type);
    if (!member) return { name, kind: "const", comment, signature: bare(statement.getText()), members: [] };
    const own = withDefaults(this.text(member), owner)
      .replace(/^readonly /, "")
      .replace(/;$/, "");
    const isFunction = ts.isMethodSignature(member) || ts.isFunctionTypeNode(member.type);
    const signature = ts.isMethodSignature(member) ? `function ${own}` : `const ${own}`;
    return { name, kind: isFunction ? "function" : "const", comment, signature: `${signature};`, members: [] };
  }

  resolveIndexedAccess(type) {
    if (!type || !ts.isIndexedAccessTypeNode(type)) return {};
    const name = type.objectType.getText();
    const key = type.indexType.literal?.text;
    const isOwner = (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name;
    const owner = this.source.statements.find(isOwner);
    return { owner, member: owner?.members.find((member) => member.name?.getText() === key) };
  }

  member(node, owner) {
    // Skip members that only forbid a setting in combination with others.
    if (node.questionToken && node.type?.kind === ts.SyntaxKind.UndefinedKeyword) return [];
    const name = memberName(node);
    const comment = this.comment(node, `${owner}.${name}`);
    return [{ name, signature: this.text(node), comment }];
  }

  text(node) {
    const { character } = this.source.getLineAndCharacterOfPosition(node.getStart());
    return bare(node.getText().replaceAll(`\n${" ".repeat(character)}`, "\n"));
  }

  comment(node, name) {
    const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
    const text = comment && (ts.getTextOfJSDocComment(comment.comment) ?? "");
    const tags = (comment?.tags ?? []).map((tag) => ({
      tag: tag.tagName.text,
      name: tag.name?.getText(),
      text: this.tagText(tag),
    }));
    if (!text && tags.length === 0) throw new Error(`${this.path}: ${name} has no comment.`);
    return { text, tags };
  }

  /** Examples are read from the source, because the parser would interpret `@` and braces in them. */
  tagText(tag) {
    if (tag.tagName.text !== "example") return ts.getTextOfJSDocComment(tag.comment) ?? "";
    const lines = this.source.text.slice(tag.tagName.end, tag.end).split("\n");
    return lines
      .map((line) => line.replace(/^\s*\* ?/, "").replace(/\s*\*\/$/, ""))
      .join("\n")
      .trim();
  }
}

/** Removes `export`, `declare` and comments for editors. */
function bare(text) {
  return text
    .replace(/^.*\bbiome-ignore\b.*\n/gm, "")
    .replace(/^export (declare )?/, "")
    .replace(/^declare /, "");
}

/** Replaces type parameters with their defaults: `Client<Key>` → `Client<string>`. */
function withDefaults(text, { typeParameters = [] }) {
  return typeParameters.reduce(
    (changed, { name, default: value }) =>
      value ? changed.replace(new RegExp(`\\b${name.text}\\b`, "g"), value.getText()) : changed,
    text,
  );
}

function isExported(statement) {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function memberName(node) {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (ts.isCallSignatureDeclaration(node)) return "call";
  return node.name.getText();
}
