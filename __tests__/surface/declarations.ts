import { readFileSync } from "node:fs";
import ts from "typescript";

/** What a file of declarations says: the names that it exports as types, and the members of its classes. */
export interface Declarations {
  exported: { types: string[]; values: string[] };
  classes: Record<string, Member[]>;
  /** The members of interfaces and of local classes, by their name. */
  interfaces: Record<string, string[]>;
}
export interface Member {
  name: string;
  access: "public" | "protected" | "private";
  kind: "method" | "field";
}

export function readDeclarations(path: string): Declarations {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const read: Declarations = { exported: { types: [], values: [] }, classes: {}, interfaces: {} };
  const kinds = new Map<string, "types" | "values">();
  const exports: { name: string; typeOnly: boolean }[] = [];
  for (const statement of source.statements) {
    if (ts.isClassDeclaration(statement) && statement.name) {
      read.classes[statement.name.text] = statement.members.flatMap(memberOf);
      kinds.set(statement.name.text, "values");
    } else if (ts.isInterfaceDeclaration(statement)) {
      read.interfaces[statement.name.text] = statement.members.flatMap(({ name }) => name?.getText() ?? []);
      kinds.set(statement.name.text, "types");
    } else if (ts.isTypeAliasDeclaration(statement)) {
      kinds.set(statement.name.text, "types");
    } else if (ts.isExportDeclaration(statement) && statement.exportClause) {
      if (!ts.isNamedExports(statement.exportClause)) continue;
      for (const { name, isTypeOnly } of statement.exportClause.elements)
        exports.push({ name: name.text, typeOnly: isTypeOnly || statement.isTypeOnly });
    }
  }
  for (const { name, typeOnly } of exports)
    read.exported[typeOnly ? "types" : (kinds.get(name) ?? "values")].push(name);
  return read;
}

function memberOf(member: ts.ClassElement): Member[] {
  if (!member.name) return [];
  const is = (kind: ts.SyntaxKind) =>
    ts.canHaveModifiers(member) && ts.getModifiers(member)?.some((modifier) => modifier.kind === kind);
  return [
    {
      name: member.name.getText(),
      access: is(ts.SyntaxKind.PrivateKeyword)
        ? "private"
        : is(ts.SyntaxKind.ProtectedKeyword)
          ? "protected"
          : "public",
      kind: ts.isMethodDeclaration(member) ? "method" : "field",
    },
  ];
}
