{{/* Names and labels. */}}

{{- define "flagservice.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of the resources of a role: origin or edge. Argument: dict "root" "role". */}}
{{- define "flagservice.roleName" -}}
{{- printf "%s-%s" (include "flagservice.name" .root) .role -}}
{{- end -}}

{{- define "flagservice.labels" -}}
{{ include "flagservice.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "flagservice.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .role }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "flagservice.serviceAccount" -}}
{{- $fallback := ternary (include "flagservice.name" .) "default" .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default $fallback -}}
{{- end -}}

{{- define "flagservice.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}
