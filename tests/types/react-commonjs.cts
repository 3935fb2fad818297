// The React package as CommonJS.
import flags = require("react-flagservice-client");

const { useFeature } = flags.createFlagService<"checkout">();
export const hook: (key: "checkout") => { isOn(): boolean } = useFeature;
// @ts-expect-error: unknown feature
export const wrong: unknown = () => useFeature("chekout");
export const integration = flags.exposureIntegration(({ key }) => key);
