// The public types of the React package: uses from its README compile, and likely misuses are errors.
import FlagService, { type Client, type Evaluation, type Features } from "flagservice-client";
import { Component, type ReactElement } from "react";
import {
  analyticsIntegration,
  createFlagService,
  exposureIntegration,
  FlagServiceProvider,
  type FlagServiceStatus,
  FlagServiceTestProvider,
  useFeature,
  useFeatures,
  type useFlagService,
  useFlagServiceStatus,
  useGoal,
  useIsOn,
  type WithFlagServiceProps,
  withFlagService,
} from "react-flagservice-client";

/** Whether two types are one; `any` is nothing but itself. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_proof: Same<A, B>): void {}

const client = FlagService.init("js-key");
const integrations = [exposureIntegration(({ key }) => client.goal(key)), analyticsIntegration({ track() {} })];

// The provider: settings, or a client.
export const providers: ReactElement[] = [
  <FlagServiceProvider key="1" apiKey="js-key" />,
  <FlagServiceProvider
    key="2"
    apiKey="js-key"
    user={{ id: "ada", attributes: { plan: "pro" } }}
    config={{ integrations }}
  >
    <p>text</p>
    text
  </FlagServiceProvider>,
  <FlagServiceProvider key="3" apiKey="js-key" user={null} config={null} />,
  <FlagServiceProvider key="4" client={client} bootstrap={{ a: "on" }} />,
  // @ts-expect-error: the client key is required
  <FlagServiceProvider key="5" />,
  // @ts-expect-error: the client key is a string
  <FlagServiceProvider key="6" apiKey={12} />,
  // @ts-expect-error: a client already has its user
  <FlagServiceProvider key="7" client={client} user={{ id: "ada" }} />,
  // @ts-expect-error: either a client key or a client
  <FlagServiceProvider key="8" client={client} apiKey="js-key" />,
  // @ts-expect-error: unknown setting
  <FlagServiceProvider key="9" apiKey="js-key" config={{ stream: true }} />,
  // @ts-expect-error: a user is an object
  <FlagServiceProvider key="10" apiKey="js-key" user="ada" />,
  // @ts-expect-error: bootstrap is a setting
  <FlagServiceProvider key="11" apiKey="js-key" bootstrap={{ a: "on" }} />,
];

// The hooks.
export function Hooks(): ReactElement {
  const feature = useFeature("anything");
  const goal = useGoal();
  const state = useFlagServiceStatus();
  same<typeof feature, Evaluation>(true);
  same<ReturnType<typeof useIsOn>, boolean>(true);
  same<ReturnType<typeof useFlagService>, Client>(true);
  same<ReturnType<typeof useFeatures>, Readonly<Features>>(true);
  same<typeof state, FlagServiceStatus>(true);
  same<FlagServiceStatus["status"], "loading" | "cached" | "ready" | "error">(true);
  goal("bought");
  // @ts-expect-error: a goal has a key
  goal();
  // @ts-expect-error: a feature has a key
  useFeature();
  // @ts-expect-error: a key is a string
  useIsOn(12);
  // @ts-expect-error: isOn is a method
  if (feature.isOn) goal("");
  // @ts-expect-error: features are read-only
  useFeatures().a = "on";
  // @ts-expect-error: unknown status
  if (state.status === "loaded") goal("");
  return <p>{feature.value()}</p>;
}

// Class components.
class Cart extends Component<{ readonly items: number } & WithFlagServiceProps<"checkout">> {
  override render(): ReactElement {
    same<typeof this.props.features.checkout, Evaluation>(true);
    // @ts-expect-error: it lists another feature
    this.props.features.banner;
    return <p>{this.props.items}</p>;
  }
}
class Bare extends Component<WithFlagServiceProps> {}
class Nothing extends Component<WithFlagServiceProps<never>> {}
const CartWithFlags = withFlagService(Cart, ["checkout"]);
const NothingWithFlags = withFlagService(Nothing);
withFlagService(Cart, ["checkout", "banner"]);
export const components: ReactElement[] = [
  <CartWithFlags key="1" items={3} />,
  <NothingWithFlags key="2" />,
  // @ts-expect-error: its own props are still required
  <CartWithFlags key="3" />,
  // @ts-expect-error: withFlagService passes these props
  <CartWithFlags key="4" items={3} features={{}} />,
];
// @ts-expect-error: the feature that it uses is not listed
withFlagService(Cart, ["banner"]);
// @ts-expect-error: no feature is listed
withFlagService(Cart);
// @ts-expect-error: the list of features is missing
withFlagService(Bare);

// Listed features.
const named = createFlagService<"checkout" | "banner">();
const { FlagServiceProvider: Provider, FlagServiceTestProvider: TestProvider } = named;
const namedClient = FlagService.init<"checkout" | "banner">("js-key");
export const namedProviders: ReactElement[] = [
  <Provider key="1" apiKey="js-key" config={{ bootstrap: { checkout: "on" }, defaultFeatures: { banner: "red" } }} />,
  <Provider key="2" client={namedClient} bootstrap={{ banner: "red" }} />,
  <TestProvider key="3" features={{ checkout: "on" }} status="loading" onGoal={(key) => client.goal(key)} />,
  // @ts-expect-error: unknown feature
  <Provider key="4" apiKey="js-key" config={{ bootstrap: { chekout: "on" } }} />,
  // @ts-expect-error: unknown feature
  <TestProvider key="5" features={{ chekout: "on" }} />,
  <FlagServiceTestProvider key="6" features={{ anything: "on" }} user={{ id: "ada" }} />,
  // @ts-expect-error: a variant is a string
  <FlagServiceTestProvider key="7" features={{ anything: true }} />,
  // @ts-expect-error: unknown status
  <FlagServiceTestProvider key="8" status="loaded" />,
];
export function Named(): ReactElement {
  const feature = named.useFeature("checkout");
  const features = named.useFeatures();
  same<typeof features.banner, string | undefined>(true);
  same<ReturnType<typeof named.useFlagService>, Client<"checkout" | "banner">>(true);
  named.useIsOn("banner");
  named.withFlagService(Cart, ["checkout"]);
  // @ts-expect-error: unknown feature
  named.useFeature("chekout");
  // @ts-expect-error: unknown feature
  named.useIsOn("chekout");
  // @ts-expect-error: unknown feature
  features.chekout;
  // @ts-expect-error: unknown feature
  named.withFlagService(Cart, ["checkout", "chekout"]);
  // @ts-expect-error: unknown feature
  named.useFlagService().evaluate("chekout");
  return <p>{feature.value()}</p>;
}
