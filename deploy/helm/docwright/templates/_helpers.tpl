{{- define "docwright.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "docwright.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "docwright.hasDatabase" -}}
{{- if or .Values.database.url .Values.database.existingSecret }}yes{{ end }}
{{- end }}

{{- /* What would lose data or never start is refused before anything is installed. */ -}}
{{- define "docwright.check" -}}
{{- if not (include "docwright.hasDatabase" .) }}
{{- if or (gt (int .Values.server.replicas) 1) (gt (int .Values.worker.replicas) 0) }}
{{- fail "Several pods share their data in PostgreSQL: set database.url or database.existingSecret, or server.replicas=1 and worker.replicas=0" }}
{{- end }}
{{- else if and (gt (add (int .Values.server.replicas) (int .Values.worker.replicas)) 1) (not .Values.persistence.existingClaim) (not (has "ReadWriteMany" .Values.persistence.accessModes)) }}
{{- fail "Several pods share one volume: set persistence.accessModes to [ReadWriteMany], or name a volume with persistence.existingClaim" }}
{{- end }}
{{- end }}

{{- /* The pod of a server or a worker. */ -}}
{{- define "docwright.pod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "docwright.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    # A changed secret starts the pods again.
    checksum/secret: {{ printf "%s %s" $root.Values.database.url $root.Values.secretKey.value | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  {{- with $root.Values.serviceAccount.name }}
  serviceAccountName: {{ . }}
  {{- end }}
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: {{ .component }}
      image: {{ printf "%s:%s" $root.Values.image.repository ($root.Values.image.tag | default $root.Chart.AppVersion) | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [{{ .command }}]
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      env:
        - name: PORT
          value: "4000"
        {{- with $root.Values.publicUrl }}
        - name: DOCWRIGHT_PUBLIC_URL
          value: {{ . | quote }}
        {{- end }}
        {{- with $root.Values.trustedProxies }}
        - name: DOCWRIGHT_TRUSTED_PROXIES
          value: {{ . | quote }}
        {{- end }}
        {{- if include "docwright.hasDatabase" $root }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ $root.Values.database.existingSecret | default (include "docwright.name" $root) }}
              key: {{ if $root.Values.database.existingSecret }}{{ $root.Values.database.existingSecretKey }}{{ else }}database-url{{ end }}
        {{- end }}
        {{- if or $root.Values.secretKey.value $root.Values.secretKey.existingSecret }}
        - name: DOCWRIGHT_SECRET_KEY
          valueFrom:
            secretKeyRef:
              name: {{ $root.Values.secretKey.existingSecret | default (include "docwright.name" $root) }}
              key: {{ if $root.Values.secretKey.existingSecret }}{{ $root.Values.secretKey.existingSecretKey }}{{ else }}secret-key{{ end }}
        {{- end }}
        {{- if eq .command "worker" }}
        # For its health and its metrics.
        - name: DOCWRIGHT_WORKER_PORT
          value: "4000"
        {{- end }}
        {{- with $root.Values.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - { name: http, containerPort: 4000 }
      {{- if eq .command "serve" }}
      # The service hears of the end before the server does, so that no request comes too late.
      lifecycle:
        preStop:
          exec: { command: [sleep, '5'] }
      {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 3
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 15
        timeoutSeconds: 5
        failureThreshold: 4
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 4
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: data
      persistentVolumeClaim:
        claimName: {{ $root.Values.persistence.existingClaim | default (include "docwright.name" $root) }}
    - name: tmp
      emptyDir: {}
  {{- with $root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
