// Pages are rendered while building. The packages are links out of this folder, hence the root above all.
export default { output: "export", turbopack: { root: "/" } };
