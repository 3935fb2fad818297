// Enforces the arrows of ARCHITECTURE.md: dependencies between crates, inside the server, in src/ and in js/, and no import cycles.
import { selfTest } from "./check-dependencies/self-test.mjs";
import { violations } from "./check-dependencies/violations.mjs";
import { script } from "./progress.mjs";
import { root } from "./setup.mjs";

const HELP = `node scripts/check-dependencies.mjs [--self-test]

Checks dependencies against the tables in scripts/check-dependencies/, and that there are no import cycles between files.
--self-test breaks each rule once in a copy of the repository and checks that the violation is found.
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
      `${found.length} violations of the dependency rules. The tables are in scripts/check-dependencies/.`,
    );
  }
  process.stdout.write("  ✓ every dependency follows the rules\n");
}

script(main);
