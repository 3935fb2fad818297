// What a package exports, read from its .d.ts as it is published: each declaration with its comment, as it is written there.
import { readFileSync } from "node:fs";
import ts from "typescript";

const KINDS = {
  [ts.SyntaxKind.InterfaceDeclaration]: "interface",
  [ts.SyntaxKind.TypeAliasDeclaration]: "type",
  [ts.SyntaxKind.FunctionDeclaration]: "function",
  [ts.SyntaxKind.ClassDeclaration]: "class",
};

/**
 * The exports of a file: `{ name, kind, signature, comment, members }` of its own, `{ name, from }` of another package, and
 * with `isImported` what it only uses.
 * An export or a member of one without a comment fails.
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
      return statement.declarationList.declarations.map((one) => this.value(statement, one));
    const kind = KINDS[statement.kind];
    if (!kind) throw new Error(`${this.path} exports what the reference cannot show: ${statement.getText()}`);
    return [this.declaration(statement, kind)];
  }

  /** What another package explains, though this one does not hand it on. */
  imports({ importClause, moduleSpecifier }) {
    const from = moduleSpecifier.text;
    return importClause.namedBindings.elements.map(({ name }) => ({ name: name.text, from, isImported: true }));
  }

  globals(statement) {
    return statement.declarationList.declarations.map((one) => ({ ...this.value(statement, one), kind: "global" }));
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

  /** A constant: where its type is that of another declaration's member, that one is shown. */
  value(statement, declaration) {
    const name = declaration.name.text;
    const comment = this.comment(statement, name);
    const { owner, member } = this.indexed(declaration.type);
    if (!member) return { name, kind: "const", comment, signature: bare(statement.getText()), members: [] };
    const own = withDefaults(this.text(member), owner)
      .replace(/^readonly /, "")
      .replace(/;$/, "");
    const isFunction = ts.isMethodSignature(member) || ts.isFunctionTypeNode(member.type);
    const signature = ts.isMethodSignature(member) ? `function ${own}` : `const ${own}`;
    return { name, kind: isFunction ? "function" : "const", comment, signature: `${signature};`, members: [] };
  }

  indexed(type) {
    if (!type || !ts.isIndexedAccessTypeNode(type)) return {};
    const name = type.objectType.getText();
    const key = type.indexType.literal?.text;
    const owner = this.source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
    return { owner, member: owner?.members.find((member) => member.name?.getText() === key) };
  }

  member(node, owner) {
    // What must not be given beside other settings is no member that anybody uses.
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
    const found = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1);
    const text = found && (ts.getTextOfJSDocComment(found.comment) ?? "");
    const tags = (found?.tags ?? []).map((tag) => ({
      tag: tag.tagName.text,
      name: tag.name?.getText(),
      text: this.tagText(tag),
    }));
    if (!text && tags.length === 0) throw new Error(`${this.path}: ${name} has no comment that says what it is.`);
    return { text, tags };
  }

  /** An example keeps its lines as they are: the parser would take `@` and braces in it for its own. */
  tagText(tag) {
    if (tag.tagName.text !== "example") return ts.getTextOfJSDocComment(tag.comment) ?? "";
    const lines = this.source.text.slice(tag.tagName.end, tag.end).split("\n");
    return lines
      .map((line) => line.replace(/^\s*\* ?/, "").replace(/\s*\*\/$/, ""))
      .join("\n")
      .trim();
  }
}

/** Without the remarks that are for whoever edits the file, as it is published. */
function bare(text) {
  return text
    .replace(/^.*\bbiome-ignore\b.*\n/gm, "")
    .replace(/^export (declare )?/, "")
    .replace(/^declare /, "");
}

/** A text of an interface whose parameters have their defaults: `Client<Key>` → `Client<string>`. */
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
