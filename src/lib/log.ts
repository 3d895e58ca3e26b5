import { timestamp } from './clock.ts';
import { escapeControlCharacters } from './control-characters.ts';
import { ApiError } from './errors.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Adds lines that another thread has formatted. */
  append(text: string): void;
  /** Whether the lines are readable text instead of JSON. */
  readonly isPretty: boolean;
  /** Writes buffered lines. Call it before the process ends. */
  flush(): void;
  /** Number of lines dropped since the start because the output was not read. */
  readonly droppedLines: number;
}

/** The part of the log for changes of state. */
export type StateLog = Pick<Log, 'info' | 'warn'>;

/** JSON.stringify, but faster for numbers. */
const jsonOf = (value: unknown): string => (Number.isFinite(value) ? `${value}` : JSON.stringify(value));

const asJson = (level: LogLevel, message: string, fields: LogFields) => {
  let line = `{"time":"${timestamp()}","level":"${level}","message":"${message}"`;
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) line += `,"${name}":${jsonOf(value)}`;
  }
  return `${line}}\n`;
};

const COLOURS = { debug: 90, info: 36, warn: 33, error: 31, silent: 0 } as const;

const asText = (level: LogLevel, message: string, fields: LogFields) => {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  const rest = defined.map(([name, value]) =>
    name === 'stack'
      ? `\n${escapeControlCharacters(`${value}`)}`
      : `\u001b[90m${name}=\u001b[0m${escapeControlCharacters(typeof value === 'string' ? value : `${JSON.stringify(value)}`)}`,
  );
  const time = timestamp().slice(11, 23);
  return `\u001b[90m${time}\u001b[0m \u001b[${COLOURS[level]}m${level.padEnd(5)}\u001b[0m ${message} ${rest.join(' ')}\n`;
};

/** Writes lines as JSON, or as readable text on a terminal. Lines of one turn of the event loop are written together. While
 *  the output has no room, lines are dropped; a warning with their number precedes the next line. */
export const createLog = (options: {
  level: LogLevel;
  pretty: boolean;
  write: (text: string) => void;
  hasRoom?: () => boolean;
}): Log => {
  const { hasRoom = () => true } = options;
  let droppedLines = 0;
  let reported = 0;
  const threshold = logLevels.indexOf(options.level);
  const format = options.pretty ? asText : asJson;
  let buffer = '';
  const flush = () => {
    const text = buffer;
    buffer = '';
    if (text) options.write(text);
  };
  /** Whether there is room for another line. */
  const makeRoom = (): boolean => {
    if (!hasRoom()) return false;
    if (buffer === '') setImmediate(flush);
    if (droppedLines > reported) {
      buffer += format('warn', 'log lines dropped: the output was not read', {
        count: droppedLines - reported,
      });
      reported = droppedLines;
    }
    return true;
  };
  const at = (level: LogLevel) => {
    if (logLevels.indexOf(level) < threshold) return () => {};
    return (message: string, fields: LogFields = {}) => {
      if (makeRoom()) buffer += format(level, message, fields);
      else droppedLines++;
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    append: (text) => {
      if (makeRoom()) buffer += text;
      else droppedLines += text.split('\n').length - 1;
    },
    isPretty: options.pretty,
    flush,
    get droppedLines() {
      return droppedLines;
    },
  };
};

/** The type and stack of an error for the log, or only the reason of a fault of the database. Its message is omitted, because it may
 *  contain a caller's data. */
export const describeError = (error: unknown): LogFields => {
  if (!(error instanceof Error)) return { error: typeof error };
  if (error instanceof ApiError && error.fault) {
    const { reason, code } = error.fault;
    return { reason, code };
  }
  const { name, stack = '', cause } = error;
  const frames = stack.slice(stack.search(/^ {4}at /m));
  return {
    error: name,
    ...('code' in error && { code: error.code }),
    // The result code of SQLite.
    ...('errcode' in error && { errcode: error.errcode }),
    stack: stack.includes('\n    at ') ? frames : '',
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
};
