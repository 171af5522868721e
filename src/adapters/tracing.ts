import type { Tracer } from '@opentelemetry/api'
import type { Trace } from '../core/telemetry/traces.ts'

/** A call that is over, with what it asked of the database. */
export interface TracedCall {
  surface: string
  method: string | undefined
  path: string
  operation: string | undefined
  workspaceId: string | undefined
  /** Undefined if the client left before the answer. */
  status: number | undefined
  /** By `performance.now`. */
  startedAt: number
  milliseconds: number
  trace: Trace | undefined
  meter: {
    databaseMilliseconds: number
    waitMilliseconds: number
  }
}

export interface Tracing {
  record(call: TracedCall): void
  /** Sends what has come together. */
  close(): Promise<void>
}

type TracingVariables = Record<string, string | undefined>

/** The standard variables that ask for traces. */
export function wantsTraces(env: TracingVariables): boolean {
  if (env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return false
  return Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
}

/** What is used of the packages, which are loaded by their names: most services never need them. */
interface Provider {
  getTracer(name: string): Tracer
  shutdown(): Promise<void>
}
interface TracePackage {
  BasicTracerProvider: new (parts: object) => Provider
  BatchSpanProcessor: new (exporter: object) => object
}
interface ExporterPackage {
  OTLPTraceExporter: new () => object
}
interface Resource {
  merge(other: Resource): Resource
}
interface ResourcePackage {
  resourceFromAttributes(attributes: object): Resource
  detectResources(parts: { detectors: object[] }): Resource
  envDetector: object
}

const load = (name: string): Promise<unknown> => import(name)

/**
 * Traces by OpenTelemetry, configured by its standard variables (OTEL_EXPORTER_OTLP_ENDPOINT and
 * _HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER). Spans are made when a
 * call is over: before that, a trace costs nothing.
 */
export async function openTracing(env: TracingVariables): Promise<Tracing | undefined> {
  if (!wantsTraces(env)) return undefined
  const api = await import('@opentelemetry/api')
  const base = (await load('@opentelemetry/sdk-trace-base')) as TracePackage
  const http = (await load('@opentelemetry/exporter-trace-otlp-http')) as ExporterPackage
  const resources = (await load('@opentelemetry/resources')) as ResourcePackage
  const provider = new base.BasicTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'vitrine' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new base.BatchSpanProcessor(new http.OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('vitrine')

  function record(call: TracedCall): void {
    const { surface, method, path, operation, workspaceId, status, startedAt, trace, meter } = call
    const start = performance.timeOrigin + startedAt
    const parent = trace
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, {
          traceId: trace.traceId,
          spanId: trace.parentId,
          traceFlags: trace.isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
          isRemote: true,
        })
      : api.ROOT_CONTEXT
    const span = tracer.startSpan(
      operation ?? `${method ?? ''} ${surface}`,
      {
        kind: api.SpanKind.SERVER,
        startTime: start,
        attributes: {
          'http.request.method': method ?? '',
          'url.path': path,
          'http.response.status_code': status ?? 0,
          'vitrine.surface': surface,
          ...(workspaceId ? { 'vitrine.workspace': workspaceId } : {}),
          'vitrine.database_ms': meter.databaseMilliseconds,
          'vitrine.wait_ms': meter.waitMilliseconds,
        },
      },
      parent,
    )
    if (status === undefined || status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(start + call.milliseconds)
  }

  return { record, close: () => provider.shutdown() }
}
