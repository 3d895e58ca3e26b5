import { ConfigError, readNumber } from '../lib/config-error.ts';

type Read = (name: string) => string | undefined;

const SAMPLERS: Readonly<Record<string, number | undefined>> = {
  always_on: 1,
  always_off: 0,
  traceidratio: undefined,
};

/** Whether the caller's decision, in its `traceparent`, takes precedence, and the share of other traces that is sampled. */
const readSampler = (read: Read) => {
  const text = read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const name = text.replace(/^parentbased_/, '');
  if (!Object.hasOwn(SAMPLERS, name))
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio, or one of these after parentbased_, not ${text}.`,
    );
  const ratio = SAMPLERS[name] ?? Number(read('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not ${read('OTEL_TRACES_SAMPLER_ARG')}.`,
    );
  return { isParentBased: name !== text, ratio };
};

/** Tracing is on if an endpoint is set. Reads the standard variables of OpenTelemetry that its SDK does not read itself. An
 *  undefined setting of batches has the default of the SDK. */
export const readTracing = (read: Read) => {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!names.some(read)) return undefined;
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none')
    return undefined;
  for (const name of names) {
    const url = read(name);
    if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
      throw new ConfigError(
        `${name} must be the URL of an OTLP receiver, such as http://127.0.0.1:4318, not ${url}.`,
      );
  }
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol !== undefined && protocol !== 'http/protobuf')
    throw new ConfigError(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not ${protocol}.`);
  const number = (name: string) => readNumber(name, read(name), { from: 1, to: 999_999_999 });
  return {
    sampler: readSampler(read),
    batches: {
      maxQueueSize: number('OTEL_BSP_MAX_QUEUE_SIZE'),
      maxExportBatchSize: number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY'),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT'),
    },
  };
};

export type TracingConfig = NonNullable<ReturnType<typeof readTracing>>;
