// Scripts work without the tests: they start them as commands.
import { join, posix } from "node:path";
import { JAVASCRIPT_ENDINGS, sources, specifiers } from "./sources.mjs";

/** One sentence for each import from tests/ in scripts/. */
export async function scriptViolations(folder) {
  const files = await sources(join(folder, "scripts"), ...JAVASCRIPT_ENDINGS);
  return files.flatMap(({ file, text }) =>
    specifiers(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => posix.normalize(posix.join("scripts", posix.dirname(file), specifier)))
      .filter((target) => target.startsWith("tests/"))
      .map((target) => `scripts/${file}: imports ${target}; scripts import nothing from tests/.`),
  );
}
