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

/** Where the features come from that components read. */
export interface FlagServiceStatus {
  /**
   * - `loading`: the service has not answered for this user. Features come from `bootstrap` or are the default ones.
   * - `cached`: the same, and they come from the last visit.
   * - `ready`: they are the service's.
   * - `error`: the service could not be asked. The client tries again by itself.
   */
  readonly status: "loading" | "cached" | "ready" | "error";
  /** Why, while `status` is `error`. */
  readonly error: string | undefined;
  /** Whether the first request to the service has completed, however it was answered. */
  readonly hasReceivedInitialResponse: boolean;
}

/** A provider that makes its client. */
export interface ConfiguredProviderProps<Key extends string = string> {
  /** JavaScript client key of an environment. It is public. Another one makes another client. */
  readonly apiKey: string;
  /** Left out: an anonymous user. One that differs in `id` or `attributes` replaces the user; an equal one does nothing. */
  readonly user?: User | null | undefined;
  /** Settings of the client, taken when the provider is mounted. */
  readonly config?: Config<Key> | null | undefined;
  readonly client?: undefined;
  readonly bootstrap?: undefined;
  /** What reads the features. */
  readonly children?: ReactNode;
}

/** A provider of a client that you have made, and close. */
export interface ClientProviderProps<Key extends string = string> {
  /** Its features are followed by its events: after `updateUser`, from the next one on. */
  readonly client: Client<Key>;
  /** What the server has rendered with, where the client may have loaded before all of the page is hydrated. */
  readonly bootstrap?: Readonly<Features<Key>> | undefined;
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
  /** Variant of each feature. One that is not named is `off`. */
  readonly features?: Readonly<Features<Key>> | undefined;
  /** The user whom the client names. Left out: an anonymous one. */
  readonly user?: User | null | undefined;
  /**
   * What {@link useFlagServiceStatus} tells.
   * @default "ready"
   */
  readonly status?: FlagServiceStatus["status"] | undefined;
  /** Hears of goals, which go nowhere else. */
  readonly onGoal?: ((goalKey: string) => void) | undefined;
  /** What reads the features. */
  readonly children?: ReactNode;
}

/** What {@link withFlagService} gives a component beside its own props. */
export interface WithFlagServiceProps<Key extends string = string> {
  /** The client. */
  readonly flagService: Client;
  /** The features that were named. */
  readonly features: { readonly [key in Key]: Evaluation };
}

/** A component without the props that {@link withFlagService} gives it. */
export type Wrapped<Props> = FunctionComponent<Omit<Props, keyof WithFlagServiceProps> & RefAttributes<unknown>>;

/** The type of {@link withFlagService}: every feature that the component asks for is to be named. */
export interface WithFlagService<Key extends string = string> {
  /** With the keys of the features that the component reads. */
  <Props extends WithFlagServiceProps<never>, Used extends Key>(
    component: ComponentType<Props>,
    featureKeys: readonly Used[] & ([keyof Props["features"]] extends [Used] ? unknown : never),
  ): Wrapped<Props>;
  /** For a component that reads no feature: it gets the client alone. */
  <Props extends WithFlagServiceProps<never>>(
    component: ComponentType<Props> & ([keyof Props["features"]] extends [never] ? unknown : never),
  ): Wrapped<Props>;
}

/** All that {@link createFlagService} makes: as the named exports, for the keys of your features alone. */
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
 * Names your features, to have their keys checked.
 *
 * @example
 * export const { FlagServiceProvider, useFeature, useIsOn } = createFlagService<"checkout" | "banner">();
 */
export declare function createFlagService<Key extends string = string>(): FlagServiceForReact<Key>;

/**
 * Gives the components below it a client: one that it makes, which begins when the provider is mounted and ends when it is
 * unmounted, or one of yours.
 *
 * @example
 * <FlagServiceProvider apiKey="js-…" user={{ id: "ada" }} config={{ baseUrl: "https://flags.example.com" }}>
 *   <App />
 * </FlagServiceProvider>
 *
 * @throws TypeError when `apiKey` is missing, blank or not a string, as `FlagService.init` does.
 */
export declare const FlagServiceProvider: FlagServiceForReact["FlagServiceProvider"];

/**
 * Gives the components below it fixed features, for tests and stories. It asks no service, and nothing changes afterwards.
 *
 * @example
 * render(<FlagServiceTestProvider features={{ checkout: "on" }}><Cart /></FlagServiceTestProvider>);
 */
export declare const FlagServiceTestProvider: FlagServiceForReact["FlagServiceTestProvider"];

/**
 * The client, for effects and handlers: it is the same from render to render, and what it answers renders nothing anew.
 * Read features by {@link useFeature}.
 */
export declare const useFlagService: FlagServiceForReact["useFlagService"];

/**
 * A feature as it is now: `.isOn()`, `.isOff()`, `.is("red")`, `.value()`. The component renders again when this feature
 * changes, and an exposure is sent once what it shows is on the page. The same object as long as the variant is the same.
 *
 * @example
 * const color = useFeature("banner-color").value();
 */
export declare const useFeature: FlagServiceForReact["useFeature"];

/** Whether a feature is `on`: `useFeature(key).isOn()`. */
export declare const useIsOn: FlagServiceForReact["useIsOn"];

/**
 * All features that are known, key → variant. The component renders again when any of them changes. It sends no exposure,
 * as `evaluateAll` does not.
 */
export declare const useFeatures: FlagServiceForReact["useFeatures"];

/**
 * A function that tells the service that the user has reached a goal. It is the same from render to render.
 *
 * @example
 * const goal = useGoal();
 * return <button onClick={() => goal("bought")}>Buy</button>;
 */
export declare const useGoal: FlagServiceForReact["useGoal"];

/** Where the features come from; the component renders again when that changes. */
export declare const useFlagServiceStatus: FlagServiceForReact["useFlagServiceStatus"];

/**
 * Gives a component, of a class too, the client as `flagService` and the named features as `features`. It renders again when
 * one of these changes.
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
