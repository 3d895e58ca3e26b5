import { escapeControlCharacters } from './control-characters.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Writes what is still held back. Call it before the process ends. */
  flush(): void;
  /** How many lines were dropped since the start, because the output is not read. */
  readonly droppedLines: number;
}

let moment = 0;
let momentText = '';

/** The time of a line. Many lines are of one millisecond. */
const now = (): string => {
  const at = Date.now();
  if (at !== moment) {
    moment = at;
    momentText = new Date(at).toISOString();
  }
  return momentText;
};

/** As JSON.stringify has it, and sooner for a number. */
const jsonOf = (value: unknown): string | undefined =>
  Number.isFinite(value) ? `${value}` : JSON.stringify(value);

const asJson = (level: LogLevel, message: string, fields: LogFields) => {
  let line = `{"time":"${now()}","level":"${level}","message":"${message}"`;
  for (const name in fields) {
    const value = jsonOf(fields[name]);
    if (value !== undefined) line += `,"${name}":${value}`;
  }
  return `${line}}\n`;
};

const COLOURS = { debug: 90, info: 36, warn: 33, error: 31, silent: 0 } as const;

const asText = (level: LogLevel, message: string, fields: LogFields) => {
  const rest = Object.entries(fields).map(([name, value]) =>
    name === 'stack'
      ? `\n${escapeControlCharacters(`${value}`)}`
      : `\u001b[90m${name}=\u001b[0m${escapeControlCharacters(typeof value === 'string' ? value : `${JSON.stringify(value)}`)}`,
  );
  const time = now().slice(11, 23);
  return `\u001b[90m${time}\u001b[0m \u001b[${COLOURS[level]}m${level.padEnd(5)}\u001b[0m ${message} ${rest.join(' ')}\n`;
};

/** Writes lines of JSON, or readable ones on a terminal. Lines of one turn of the event loop are written together. While the
 *  output has no room, lines are dropped and counted; the next line that is written follows one with their number. */
export const createLog = (options: {
  level: LogLevel;
  pretty: boolean;
  write: (text: string) => void;
  hasRoom?: () => boolean;
}): Log => {
  const { hasRoom = () => true } = options;
  let droppedLines = 0;
  let reported = 0;
  const least = logLevels.indexOf(options.level);
  const format = options.pretty ? asText : asJson;
  let held = '';
  const flush = () => {
    const text = held;
    held = '';
    if (text) options.write(text);
  };
  const at = (level: LogLevel) => {
    if (logLevels.indexOf(level) < least) return () => {};
    return (message: string, fields: LogFields = {}) => {
      if (!hasRoom()) {
        droppedLines++;
        return;
      }
      if (held === '') setImmediate(flush);
      if (droppedLines > reported) {
        held += format('warn', 'log lines dropped: the output was not read', {
          count: droppedLines - reported,
        });
        reported = droppedLines;
      }
      held += format(level, message, fields);
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    flush,
    get droppedLines() {
      return droppedLines;
    },
  };
};

/** What a log may say of an error: what kind it is and where it arose. Its message may hold what a caller sent. */
export const describeError = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, stack = '', cause } = error;
  const frames = stack.slice(stack.search(/^ {4}at /m));
  return {
    error: name,
    ...('code' in error && { code: error.code }),
    stack: stack.includes('\n    at ') ? frames : '',
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
};
