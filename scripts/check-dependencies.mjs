// Checks the dependency rules of ARCHITECTURE.md: among crates, inside the server, in src/, js/ and scripts/.
import { selfTest } from "./check-dependencies/self-test.mjs";
import { violations } from "./check-dependencies/violations.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `node scripts/check-dependencies.mjs [--self-test]

Checks the dependencies against the tables in scripts/check-dependencies/, and that no files import each other in a circle.
--self-test breaks each rule once in a copy of the repository and checks that the break is found.
`;

async function main([argument]) {
  if (argument === "--self-test") return selfTest();
  if (argument !== undefined) {
    process.stdout.write(HELP);
    process.exitCode = argument === "--help" ? 0 : 2;
    return;
  }
  const found = await violations(root);
  for (const sentence of found) process.stdout.write(`  ✗ ${sentence}\n`);
  if (found.length > 0) {
    throw new Error(
      `${found.length} breaks of the rules on dependencies; the tables are at the top of the files in scripts/check-dependencies/.`,
    );
  }
  process.stdout.write("  ✓ every dependency follows the rules\n");
}

script(main);
