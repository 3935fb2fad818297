{{/* Values that fit the schema one by one, but not together. */}}

{{- define "flagservice.rejected" -}}
{{- $database := .Values.database -}}
{{- if not .Values.image.repository -}}
{{- fail "Set image.repository to where you have pushed the image, such as registry.example/flagservice-server." -}}
{{- end -}}
{{- if not (or .Values.origin.enabled .Values.edge.enabled) -}}
{{- fail "This release would have nothing: set origin.enabled or edge.enabled to true." -}}
{{- end -}}
{{- if .Values.origin.enabled -}}
{{- if and $database.sqlite.enabled $database.urlSecret.name -}}
{{- fail "There are two databases: remove database.urlSecret.name, or set database.sqlite.enabled to false." -}}
{{- end -}}
{{- if not (or $database.sqlite.enabled $database.urlSecret.name) -}}
{{- fail "Set database.urlSecret.name to a Secret with the URL of PostgreSQL, or set database.sqlite.enabled to true." -}}
{{- end -}}
{{- if and $database.sqlite.enabled (gt (int .Values.origin.replicas) 1) -}}
{{- fail "SQLite is a file for one node: set origin.replicas to 1, or use PostgreSQL with database.urlSecret.name." -}}
{{- end -}}
{{- if and $database.urlSecret.name (not .Values.masterKey.secret.name) -}}
{{- fail "Set masterKey.secret.name to a Secret with the key file. Create one with: openssl rand -base64 32 > flagservice.key" -}}
{{- end -}}
{{- end -}}
{{- if .Values.edge.enabled -}}
{{- if not .Values.edge.keySecret.name -}}
{{- fail "Set edge.keySecret.name to a Secret with an edge key. Create one with: flagservice-server edge-key create PROJECT NAME" -}}
{{- end -}}
{{- if not (or .Values.edge.upstream .Values.origin.enabled) -}}
{{- fail "Set edge.upstream to the URL of the server that the edges follow, because this release has no origin." -}}
{{- end -}}
{{- end -}}
{{- $needed := add (int .Values.stopping.delaySeconds) 30 | int -}}
{{- if lt (int .Values.stopping.graceSeconds) $needed -}}
{{- fail (printf "stopping.graceSeconds has to be at least %d: stopping.delaySeconds and 30 s to stop." $needed) -}}
{{- end -}}
{{- end -}}
