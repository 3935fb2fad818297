import { defineConfig } from "vite";

const address = { host: "127.0.0.1", port: Number(process.env.PORT ?? 7322) };

export default defineConfig({
  // These settings of .env reach the page, and no other: the server key beside them is a secret.
  envPrefix: ["FLAGSERVICE_URL", "FLAGSERVICE_CLIENT_KEY"],
  server: address,
  preview: address,
});
