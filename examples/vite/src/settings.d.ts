interface ImportMetaEnv {
  readonly FLAGSERVICE_URL: string;
  readonly FLAGSERVICE_CLIENT_KEY: string;
}
