// Pages are rendered by the build. The packages are links to a folder outside, so the root contains everything.
export default { output: "export", trailingSlash: true, turbopack: { root: "/" } };
