// The public types of react-flagservice-client, as they are published.

import type { Client, Config, Evaluation, Features, User } from "flagservice-client";
import type { ComponentType, FunctionComponent, ReactElement, ReactNode, RefAttributes } from "react";

export type {
  AnalyticsInstance,
  AnalyticsOptions,
  Attributes,
  AttributeValue,
  Client,
  Config,
  CurrentUser,
  Evaluation,
  Exposure,
  ExposureFlags,
  ExposureOptions,
  Features,
  Integration,
  Logger,
  User,
} from "flagservice-client";
export { analyticsIntegration, exposureIntegration } from "flagservice-client";

/** The state of the features. */
export interface FlagServiceStatus {
  /**
   * - `loading`: the service has not responded for this user yet. Features come from `bootstrap` or the defaults.
   * - `cached`: the service has not responded yet. Features come from the last visit.
   * - `ready`: features come from the service.
   * - `error`: the features could not be loaded. The client retries temporary failures.
   */
  readonly status: "loading" | "cached" | "ready" | "error";
  /** The error message while `status` is `error`. */
  readonly error: string | undefined;
  /** Whether the first request to the service has completed, whatever the response. */
  readonly hasReceivedInitialResponse: boolean;
}

/** Props of a provider that creates its client. */
export interface ConfiguredProviderProps<Key extends string = string> {
  /** JavaScript client key of an environment. It is public. Changing it creates another client. */
  readonly apiKey: string;
  /** Default: an anonymous user. Changing `id` or `attributes` updates the user; an equal user has no effect. */
  readonly user?: User | null | undefined;
  /** Settings of the client, read when the provider is mounted. */
  readonly config?: Config<Key> | null | undefined;
  readonly client?: undefined;
  readonly bootstrap?: undefined;
  /** What reads the features. */
  readonly children?: ReactNode;
}

/** Props of a provider for a client that you create and close. */
export interface ClientProviderProps<Key extends string = string> {
  /**
   * The client. Components follow its events: after its `updateUser` they change with the next event, and its `off` without a
   * callback removes their listeners too. Those of the client from {@link useFlagService} change them at once, and keep the listeners.
   */
  readonly client: Client<Key>;
  /**
   * The features that the server has rendered, if the client was not given them as its own `bootstrap`. The client's
   * `defaultFeatures` need not be in it.
   */
  readonly bootstrap?: { readonly [key in Key]?: string } | undefined;
  readonly apiKey?: undefined;
  readonly user?: undefined;
  readonly config?: undefined;
  /** What reads the features. */
  readonly children?: ReactNode;
}

/** Props of {@link FlagServiceProvider}. */
export type FlagServiceProviderProps<Key extends string = string> =
  | ConfiguredProviderProps<Key>
  | ClientProviderProps<Key>;

/** Props of {@link FlagServiceTestProvider}. */
export interface FlagServiceTestProviderProps<Key extends string = string> {
  /** Variant of each feature. Features that are not listed are `off`. */
  readonly features?: { readonly [key in Key]?: string } | undefined;
  /** The user that the client returns. Default: an anonymous one. */
  readonly user?: User | null | undefined;
  /**
   * The status that {@link useFlagServiceStatus} returns.
   * @default "ready"
   */
  readonly status?: FlagServiceStatus["status"] | undefined;
  /** Gets the goals, which are not sent anywhere. */
  readonly onGoal?: ((goalKey: string) => void) | undefined;
  /** What reads the features. */
  readonly children?: ReactNode;
}

/** The props that {@link withFlagService} adds to a component. */
export interface WithFlagServiceProps<Key extends string = string> {
  /** The client. */
  readonly flagService: Client;
  /** The listed features. */
  readonly features: { readonly [key in Key]: Evaluation };
}

/** A component without the props that {@link withFlagService} adds. */
export type Wrapped<Props> = FunctionComponent<Omit<Props, keyof WithFlagServiceProps> & RefAttributes<unknown>>;

/** The type of {@link withFlagService}: every feature that the component uses has to be listed. */
export interface WithFlagService<Key extends string = string> {
  /** For a component that reads these features. */
  <Props extends WithFlagServiceProps<never>, Used extends Key>(
    component: ComponentType<Props>,
    featureKeys: readonly Used[] & ([keyof Props["features"]] extends [Used] ? unknown : never),
  ): Wrapped<Props>;
  /** For a component that reads no features and only gets the client. */
  <Props extends WithFlagServiceProps<never>>(
    component: ComponentType<Props> & ([keyof Props["features"]] extends [never] ? unknown : never),
  ): Wrapped<Props>;
}

/** The result of {@link createFlagService}: the same as the named exports, typed for the keys of your features. */
export interface FlagServiceForReact<Key extends string = string> {
  /** As {@link FlagServiceProvider}. */
  readonly FlagServiceProvider: (props: FlagServiceProviderProps<Key>) => ReactElement;
  /** As {@link FlagServiceTestProvider}. */
  readonly FlagServiceTestProvider: (props: FlagServiceTestProviderProps<Key>) => ReactElement;
  /** As {@link useFlagService}. */
  readonly useFlagService: () => Client<Key>;
  /** As {@link useFeature}. */
  readonly useFeature: (featureKey: Key) => Evaluation;
  /** As {@link useIsOn}. */
  readonly useIsOn: (featureKey: Key) => boolean;
  /** As {@link useFeatures}. */
  readonly useFeatures: () => Readonly<Features<Key>>;
  /** As {@link useGoal}. */
  readonly useGoal: () => (goalKey: string) => void;
  /** As {@link useFlagServiceStatus}. */
  readonly useFlagServiceStatus: () => FlagServiceStatus;
  /** As {@link withFlagService}. */
  readonly withFlagService: WithFlagService<Key>;
}

/**
 * Lists your feature keys to have them type-checked.
 *
 * @example
 * export const { FlagServiceProvider, useFeature, useIsOn } = createFlagService<"checkout" | "banner">();
 */
export declare function createFlagService<Key extends string = string>(): FlagServiceForReact<Key>;

/**
 * Provides a client to the components below: one that it creates when it is mounted and closes when it is unmounted, or one
 * of yours.
 *
 * @example
 * <FlagServiceProvider apiKey="js-…" user={{ id: "ada" }} config={{ baseUrl: "https://flags.example.com" }}>
 *   <App />
 * </FlagServiceProvider>
 *
 * @throws TypeError if `apiKey` is missing, blank or not a string, as `FlagService.init` does.
 */
export declare const FlagServiceProvider: FlagServiceForReact["FlagServiceProvider"];

/**
 * Provides fixed features to the components below, for tests and stories. It sends no requests, and nothing changes later.
 *
 * @example
 * render(<FlagServiceTestProvider features={{ checkout: "on" }}><Cart /></FlagServiceTestProvider>);
 */
export declare const FlagServiceTestProvider: FlagServiceForReact["FlagServiceTestProvider"];

/**
 * The client, for effects and handlers. It is the same object in every render, and components do not render again when its
 * answers change. Read features with {@link useFeature}.
 */
export declare const useFlagService: FlagServiceForReact["useFlagService"];

/**
 * The current evaluation of a feature: `.isOn()`, `.isOff()`, `.is("red")`, `.value()`. The component renders again when the
 * feature changes, and an exposure is sent once the component is on the page. While the variant is the same, so is the object.
 *
 * @example
 * const color = useFeature("banner-color").value();
 */
export declare const useFeature: FlagServiceForReact["useFeature"];

/** Whether a feature is `on`: `useFeature(key).isOn()`. */
export declare const useIsOn: FlagServiceForReact["useIsOn"];

/**
 * All known features, key → variant. The component renders again when any of them changes. Like `evaluateAll`, it sends no
 * exposures.
 */
export declare const useFeatures: FlagServiceForReact["useFeatures"];

/**
 * A function that sends a goal that the user has reached. It is the same function in every render.
 *
 * @example
 * const goal = useGoal();
 * return <button onClick={() => goal("bought")}>Buy</button>;
 */
export declare const useGoal: FlagServiceForReact["useGoal"];

/** The state of the features. The component renders again when it changes. */
export declare const useFlagServiceStatus: FlagServiceForReact["useFlagServiceStatus"];

/**
 * Passes the client as `flagService` and the listed features as `features` to a component, which can be a class. It renders
 * again when one of these features changes.
 *
 * @example
 * class Cart extends Component<{ items: number } & WithFlagServiceProps<"checkout">> {
 *   render() {
 *     return this.props.features.checkout.isOn() ? <NewCheckout /> : <Checkout />;
 *   }
 * }
 * export default withFlagService(Cart, ["checkout"]);
 */
export declare const withFlagService: FlagServiceForReact["withFlagService"];
