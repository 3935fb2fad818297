// The values with which the chart is rendered: one set for each way to install it.

const image = { repository: "registry.example/flagservice-server" };
const edges = { enabled: true, keySecret: { name: "flagservice-edge" } };
const onPostgres = {
  image,
  database: { urlSecret: { name: "flagservice-database" } },
  masterKey: { secret: { name: "flagservice-key" } },
};

/** Name → values. */
export const VALUE_SETS = {
  "an origin on PostgreSQL": onPostgres,
  "an origin on PostgreSQL with edges": { ...onPostgres, edge: edges },
  "an origin on SQLite": { image, database: { sqlite: { enabled: true } }, origin: { replicas: 1 } },
  "only edges": { image, origin: { enabled: false }, edge: { ...edges, upstream: "https://flags.example" } },
  everything: {
    ...onPostgres,
    fullnameOverride: "flags",
    image: { ...image, digest: `sha256:${"0".repeat(64)}`, pullSecrets: ["registry"] },
    database: { ...onPostgres.database, caSecret: { name: "flagservice-database-ca" } },
    origin: {
      settings: {
        "public-url": "https://flags.example",
        "trusted-proxy": ["10.0.0.0/8", "fd00::/8"],
        "goals-per-minute": 5_000_000,
        "audit-retention-days": "forever",
        "oidc-issuer": "https://login.example/realms/acme",
        "oidc-client-id": "flags",
        "oidc-role": ["flags-admins=administrator"],
      },
      oidcClientSecret: { name: "flagservice-oidc" },
      log: "debug",
      ...everyPodValue("flags.example"),
    },
    edge: {
      ...edges,
      replicas: 3,
      previousKeySecret: { name: "flagservice-edge-before" },
      settings: { "max-age": 24, "trusted-proxy": ["10.0.0.0/8"] },
      log: "debug",
      volume: { size: "4Gi", storageClass: "fast" },
      ...everyPodValue("edge.flags.example"),
    },
    stopping: { delaySeconds: 15, graceSeconds: 60 },
    serviceAccount: { name: "flags", annotations: { team: "web" } },
    metrics: { serviceMonitor: { enabled: true, labels: { release: "prometheus" } } },
    networkPolicy: {
      enabled: true,
      clients: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }],
      metrics: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
    },
  },
};

/** Values, and what Helm says of them: the words of Helm 3 or those of Helm 4. */
export const REJECTED = {
  "no image": [{ ...onPostgres, image: {} }, /Set image\.repository to where you have pushed the image/],
  "no database": [{ image }, /Set database\.urlSecret\.name .* or set database\.sqlite\.enabled to true/],
  "two databases": [
    { ...onPostgres, database: { ...onPostgres.database, sqlite: { enabled: true } } },
    /There are two databases: remove database\.urlSecret\.name/,
  ],
  "two nodes on SQLite": [{ image, database: { sqlite: { enabled: true } } }, /SQLite .*: set origin\.replicas to 1/],
  "no master key": [{ ...onPostgres, masterKey: {} }, /Set masterKey\.secret\.name .* openssl rand -base64 32/],
  "an edge without its key": [
    { ...onPostgres, edge: { enabled: true } },
    /Set edge\.keySecret\.name .* flagservice-server edge-key create PROJECT NAME/,
  ],
  "edges that follow nothing": [{ image, origin: { enabled: false }, edge: edges }, /Set edge\.upstream to the URL/],
  nothing: [{ image, origin: { enabled: false } }, /set origin\.enabled or edge\.enabled to true/],
  "less time than stopping takes": [
    { ...onPostgres, stopping: { graceSeconds: 30 } },
    /stopping\.graceSeconds has to be at least 35/,
  ],
  "no replicas": [origin({ replicas: 0 }), /origin.replicas.*(greater than or equal to 1|got 0, want 1)/],
  "a value that is misspelt": [
    origin({ replica: 2 }),
    /origin.*additional propert(y|ies) '?replica'? (is )?not allowed/i,
  ],
  "a setting that is misspelt": [
    origin({ settings: { "public-ulr": "https://flags.example" } }),
    /settings.*additional propert(y|ies) '?public-ulr'? (is )?not allowed/i,
  ],
  "a setting of a server for an edge": [
    { ...onPostgres, edge: { ...edges, settings: { "session-hours": 1 } } },
    /edge.settings.*additional propert(y|ies) '?session-hours'? (is )?not allowed/i,
  ],
  "a number as text": [origin({ replicas: "two" }), /origin.replicas.*(expected: integer|got string, want integer)/i],
  "a network that is a name": [
    origin({ settings: { "trusted-proxy": ["proxy.example"] } }),
    /trusted-proxy.0.*does not match pattern/i,
  ],
  "an upstream without a scheme": [
    { ...onPostgres, edge: { ...edges, upstream: "flags.example" } },
    /edge.upstream.*does not match pattern/i,
  ],
  "a digest that is cut off": [
    { ...onPostgres, image: { ...image, digest: "sha256:abc" } },
    /image.digest.*does not match pattern/i,
  ],
  "an ingress without a host": [
    origin({ ingress: { enabled: true } }),
    /origin.ingress.hosts.*(at least 1|got 0, want 1)/i,
  ],
  "a volume without a unit": [
    { ...onPostgres, edge: { ...edges, volume: { size: "2" } } },
    /edge.volume.size.*does not match pattern/i,
  ],
};

function origin(values) {
  return { ...onPostgres, origin: values };
}

/** Every value that pods of both roles have. */
function everyPodValue(host) {
  return {
    service: { type: "LoadBalancer", port: 8080, annotations: { team: "web" } },
    ingress: {
      enabled: true,
      className: "nginx",
      annotations: { "cert-manager.io/cluster-issuer": "public" },
      hosts: [host],
      tls: [{ secretName: "tls", hosts: [host] }],
    },
    resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "2Gi" } },
    podAnnotations: { team: "web" },
    podLabels: { team: "web" },
    nodeSelector: { "kubernetes.io/arch": "amd64" },
    tolerations: [{ key: "web", operator: "Exists" }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] }],
        },
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "topology.kubernetes.io/zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { team: "web" } },
      },
    ],
    priorityClassName: "high",
  };
}
