import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config/tracing.ts';
import { ApiError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { parseTraceParent, type RequestSpan, type Tracing } from '../lib/tracing.ts';
import { version } from '../lib/version.ts';

const FLUSH_MS = 2_000;
const LOG_EVERY_MS = 60_000;

const DB_SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const;

/** `service.name` and others can be set with OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. */
const newResource = () =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'roster',
        'service.version': version,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));

const newSampler = ({ isParentBased, ratio }: TracingConfig['sampler']) => {
  const root = new TraceIdRatioBasedSampler(ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
};

/** The SDK reports failed exports here. They must neither affect requests nor fill the log. */
const logFailures = (log: Log) => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const warn = (message: string) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn('trace export failed', { reason: reasonOf(message) });
  };
  const ignore = () => {};
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
};

/** The SDK reports an error as JSON with its stack. */
const reasonOf = (text: string): string => {
  try {
    return String(JSON.parse(text).message ?? text).slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
};

const parentOf = (traceparent: string | undefined): Context => {
  const parent = traceparent === undefined ? undefined : parseTraceParent(traceparent);
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

/** Only the code or class of an error: its message may contain a caller's data. */
const fail = (span: Span, error: unknown) => {
  // A rejected request is not a fault of the database.
  if (error instanceof ApiError && error.code !== 'UNAVAILABLE') return;
  const type = error instanceof ApiError ? error.code : error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Exports spans over OTLP/HTTP with the official SDK. Loaded only if tracing is on. */
export const startTracing = (config: TracingConfig, log: Log): Tracing => {
  logFailures(log);
  // Endpoint, headers, timeout, compression and certificates come from the environment.
  const exporter = new OTLPTraceExporter();
  const provider = new TracerProvider({
    resource: newResource(),
    sampler: newSampler(config.sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...config.batches })],
  });
  const tracer = provider.getTracer('roster', version);
  const active = new AsyncLocalStorage<Context>();

  const startRequest = (
    method: string,
    scheme: 'http' | 'https',
    traceparent: string | undefined,
  ): RequestSpan => {
    const parent = parentOf(traceparent);
    const attributes = { 'http.request.method': method, 'url.scheme': scheme };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    return {
      traceId: span.spanContext().traceId,
      // The operations of a request that is not sampled have no spans either.
      run: (work) => (span.isRecording() ? active.run(trace.setSpan(parent, span), work) : work()),
      end: (route, status) => {
        if (route !== undefined) {
          span.updateName(`${method} ${route}`);
          span.setAttribute('http.route', route);
        }
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) {
          span.setAttribute('error.type', `${status}`);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };

  /** Ends the span with the work. */
  const inSpan = <T>(span: Span, run: () => MaybePromise<T>): MaybePromise<T> => {
    const rethrow = (error: unknown): never => {
      fail(span, error);
      span.end();
      throw error;
    };
    const finish = (value: T): T => {
      span.end();
      return value;
    };
    try {
      const value = run();
      return value instanceof Promise ? value.then(finish, rethrow) : finish(value);
    } catch (error) {
      return rethrow(error);
    }
  };

  return {
    startRequest,
    runOperation: ({ name, kind, engine }, run) => {
      const parent = active.getStore();
      if (!parent) return run();
      const attributes = {
        'db.system.name': DB_SYSTEMS[engine],
        'db.operation.name': name,
        'roster.operation.kind': kind,
      };
      const spanKind = engine === 'postgres' ? SpanKind.CLIENT : SpanKind.INTERNAL;
      return inSpan(tracer.startSpan(name, { kind: spanKind, attributes }, parent), run);
    },
    runBackground: async (name, work) => {
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL }, ROOT_CONTEXT);
      return inSpan(span, () => active.run(trace.setSpan(ROOT_CONTEXT, span), work));
    },
    stop: async () => {
      await Promise.race([provider.shutdown().catch(() => {}), pause(FLUSH_MS, undefined, { ref: false })]);
    },
  };
};
