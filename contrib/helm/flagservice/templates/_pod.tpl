{{/* What the pods of both roles have in common. */}}

{{/* Flags from a role's settings. A list gives the flag once for each item. */}}
{{- define "flagservice.settings" -}}
{{- range $flag, $value := . }}
{{- range $item := kindIs "slice" $value | ternary $value (list $value) }}
- {{ printf "--%s=%v" $flag (kindIs "float64" $item | ternary (int64 $item) $item) | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "flagservice.secretEnv" -}}
- name: {{ .env }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret.name }}
      key: {{ .secret.key }}
{{- end -}}

{{/* Metadata of the pods. Argument: dict "root" "role" "values". */}}
{{- define "flagservice.podMetadata" -}}
labels:
  {{- include "flagservice.labels" . | nindent 2 }}
  {{- with .values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Everything of a pod's spec but its container and its volumes. */}}
{{- define "flagservice.podSpec" -}}
serviceAccountName: {{ include "flagservice.serviceAccount" .root }}
automountServiceAccountToken: false
# Kubernetes would give variables to the pods that can look like settings.
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
terminationGracePeriodSeconds: {{ .root.Values.stopping.graceSeconds }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  {{- if .values.topologySpreadConstraints }}
  {{- toYaml .values.topologySpreadConstraints | nindent 2 }}
  {{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "flagservice.selector" . | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* Everything of a container but its name, arguments, environment and mounts. */}}
{{- define "flagservice.container" -}}
image: {{ include "flagservice.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
ports:
  - name: http
    containerPort: 7300
  - name: metrics
    containerPort: 7301
# A first start of a new release migrates the schema before it responds.
startupProbe:
  httpGet:
    path: /health/live
    port: http
  periodSeconds: 2
  failureThreshold: 150
  timeoutSeconds: 3
livenessProbe:
  httpGet:
    path: /health/live
    port: http
  periodSeconds: 10
  failureThreshold: 6
  timeoutSeconds: 3
# Ready if it can serve clients, also without its database or its upstream: an outage of these must not take all pods away.
readinessProbe:
  httpGet:
    path: /health/ready?accept=degraded
    port: http
  periodSeconds: 5
  failureThreshold: 2
  timeoutSeconds: 3
{{- if .root.Values.stopping.delaySeconds }}
lifecycle:
  preStop:
    exec:
      command: ["sleep", {{ .root.Values.stopping.delaySeconds | quote }}]
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
resources:
  {{- toYaml .values.resources | nindent 2 }}
{{- end -}}

{{/* The volume of a StatefulSet. Argument: dict "root" "role" "name" "size" "storageClass". */}}
{{- define "flagservice.claim" -}}
- metadata:
    name: {{ .name }}
    labels:
      {{- include "flagservice.selector" . | nindent 6 }}
  spec:
    accessModes: ["ReadWriteOnce"]
    {{- with .storageClass }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests:
        storage: {{ .size }}
{{- end -}}
