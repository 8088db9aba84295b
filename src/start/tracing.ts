import { hostname } from 'node:os'
import type { Config } from '../config.ts'
import type { Context } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Logger } from 'pino'
import { traceWith, type SpanValues } from '../lib/trace.ts'
import { within } from '../lib/within.ts'
import { version } from '../lib/version.ts'

/** Milliseconds that sending the last spans may take. */
const flushTime = 2000

/**
 * Sends spans to a collector, if there is an address for them. A collector that is away costs nothing but the spans:
 * the queue is bounded, and what does not fit is dropped. The log says when that begins and ends.
 * @returns what sends the spans that are left
 */
export async function startTracing(
  { traces }: Pick<Config, 'traces'>,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<() => Promise<void>> {
  if (traces === undefined) return () => Promise.resolve()
  // Loaded only here, because most servers send no traces.
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } =
    await import('@opentelemetry/api')
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const exporter = new OTLPTraceExporter({ url: traces.url, headers: traces.headers, timeoutMillis: 5000 })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': traces.service,
      'service.version': version,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    spanProcessors: [
      new BatchSpanProcessor(reporting(exporter, new URL(traces.url).origin, log), {
        maxQueueSize: 2048,
        scheduledDelayMillis: 2000,
        exportTimeoutMillis: 5000,
      }),
    ],
  })
  provider.register()
  const tracer = provider.getTracer('docwright')
  const contextOf = (traceparent: string): Context => propagation.extract(ROOT_CONTEXT, { traceparent })
  traceWith({
    begin(name, values, { parent, link }) {
      const origin = link === undefined ? undefined : trace.getSpanContext(contextOf(link))
      const around =
        parent === undefined ? (origin === undefined ? context.active() : ROOT_CONTEXT) : contextOf(parent)
      const kind =
        'http.request.method' in values
          ? SpanKind.SERVER
          : 'gen_ai.provider.name' in values
            ? SpanKind.CLIENT
            : origin
              ? SpanKind.CONSUMER
              : SpanKind.INTERNAL
      const links = origin ? [{ context: origin }] : []
      const span = tracer.startSpan(titleOf(name, values), { attributes: values, kind, links }, around)
      const inside = trace.setSpan(around, span)
      const all = { ...values }
      return {
        set(more) {
          span.setAttributes(more)
          Object.assign(all, more)
          span.updateName(titleOf(name, all))
          if ('error.type' in more || Number(more['http.response.status_code']) >= 500)
            span.setStatus({ code: SpanStatusCode.ERROR })
        },
        event: (what) => void span.addEvent(what),
        within: (work) => context.with(inside, work),
        end: () => span.end(),
      }
    },
    current() {
      const carrier: { traceparent?: string } = {}
      propagation.inject(context.active(), carrier)
      return carrier.traceparent
    },
  })
  return async () => {
    await within(
      flushTime,
      provider.shutdown().catch(() => undefined),
      () => undefined,
    )
  }
}

function reporting(
  exporter: SpanExporter,
  collector: string,
  log: Pick<Logger, 'warn' | 'info'>,
): SpanExporter {
  let isRefused = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const was = isRefused
        isRefused = result.error !== undefined
        if (isRefused && !was)
          log.warn({ err: result.error, collector }, 'The collector of traces takes none')
        else if (was && !isRefused) log.info({ collector }, 'The collector takes traces again')
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

// Requests have the name of their route, and calls of models and tools that of the model or tool, as the conventions ask.
function titleOf(name: string, values: SpanValues): string {
  const of = values['http.route'] ?? values['gen_ai.request.model'] ?? values['gen_ai.tool.name']
  const what = values['http.request.method'] ?? name
  return [what, of ?? []].flat().join(' ')
}
