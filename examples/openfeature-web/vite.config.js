import { defineConfig } from "vite";

const address = { host: "127.0.0.1", port: Number(process.env.PORT ?? 7322) };

export default defineConfig({
  // Only these settings of .env are exposed to the page. The server key is secret.
  envPrefix: ["FLAGSERVICE_URL", "FLAGSERVICE_CLIENT_KEY"],
  server: address,
  preview: address,
});
