import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { traceWith } from '../lib/trace.ts'
import { version } from '../lib/version.ts'

/** Milliseconds that sending the last spans may take. */
const flushTime = 2000

/**
 * Sends spans to a collector, if there is an address for them. A collector that is away costs nothing but the spans:
 * the queue is bounded, and what does not fit is dropped.
 * @returns what sends the spans that are left
 */
export async function startTracing({ traces }: Pick<Config, 'traces'>): Promise<() => Promise<void>> {
  if (traces === undefined) return () => Promise.resolve()
  // Loaded only here, because most servers send no traces.
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } =
    await import('@opentelemetry/api')
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const exporter = new OTLPTraceExporter({ url: traces.url, headers: traces.headers, timeoutMillis: 5000 })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': traces.service, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: 2048,
        scheduledDelayMillis: 2000,
        exportTimeoutMillis: 5000,
      }),
    ],
  })
  provider.register()
  const tracer = provider.getTracer('docwright')
  traceWith((name, values, traceparent) => {
    const parent =
      traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent })
    const kind = 'http.request.method' in values ? SpanKind.SERVER : SpanKind.INTERNAL
    const span = tracer.startSpan(name, { attributes: values, kind }, parent)
    const inside = trace.setSpan(parent, span)
    return {
      set(more) {
        span.setAttributes(more)
        const route = more['http.route']
        if (route !== undefined) span.updateName(`${name} ${route}`)
        if (Number(more['http.response.status_code']) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      },
      event: (what) => void span.addEvent(what),
      within: (work) => context.with(inside, work),
      end(error) {
        if (error) {
          const kindOfError = error.thrown instanceof Error ? error.thrown.name : 'unknown'
          span.setAttribute('error.type', kindOfError).setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      },
    }
  })
  return async () => {
    await Promise.race([provider.shutdown().catch(() => undefined), delay(flushTime)])
  }
}
