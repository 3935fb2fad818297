#!/usr/bin/env node
// rustc with the coverage that libFuzzer reads. Cargo runs it for the crates of the workspace alone (RUSTC_WORKSPACE_WRAPPER).
import { spawnSync } from "node:child_process";

/** LLVM's own pass, which stable Rust runs: no sanitizer is needed for it. */
const COVERAGE = [
  "-Cpasses=sancov-module",
  "-Cllvm-args=-sanitizer-coverage-level=4",
  "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
  "-Cllvm-args=-sanitizer-coverage-pc-table",
  "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

const [rustc, ...args] = process.argv.slice(2);
// Cargo also asks for the version and the like. A build script has no libFuzzer that reads the coverage.
const crate = args[args.indexOf("--crate-name") + 1];
const isCrate = args.includes("--crate-name") && crate !== "___" && crate !== "build_script_build";
const { status } = spawnSync(rustc, isCrate ? [...args, ...COVERAGE] : args, { stdio: "inherit" });
process.exitCode = status ?? 1;
