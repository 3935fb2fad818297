// Leaves React Aria's own sentences in other languages out of the administration pages, which are in English.

const TRANSLATION = /[\\/]react-(aria|stately|aria-components)[\\/].*[\\/]intl[\\/].*[\\/][a-z]{2}-[A-Z]{2}\.mjs$/;

/** For esbuild. */
export const withoutTranslations = {
  name: "without-translations",
  setup(build) {
    build.onLoad({ filter: TRANSLATION }, ({ path }) =>
      path.endsWith("en-US.mjs") ? undefined : { contents: "export default {};" },
    );
  },
};
