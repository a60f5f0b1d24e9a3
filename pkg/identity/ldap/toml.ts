import { parse, TomlError } from 'smol-toml';
import { type LdapConfig, LdapConfig as Schema } from './config.js';
import { configProblems } from './rules.js';

/** The file is wrong. The message says where, and contains no values. */
export class LdapFileError extends Error {}

interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
}

/**
 * Reads a configuration in TOML. In its texts, `${NAME}` and `$__env{NAME}` stand for a variable of the environment,
 * and `$__file{path}` for the content of a file. Throws LdapFileError.
 */
export function parseLdapFile(text: string, sources: Sources): LdapConfig {
  const parsed = Schema.safeParse(expanded(tomlOf(text), sources));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new LdapFileError(`${issue?.path.map(String).join('.') || 'the file'}: ${issue?.message ?? 'is not valid'}`);
  }
  const [problem] = configProblems(parsed.data, { isEnabled: true, masked: '' });
  if (problem !== undefined) throw new LdapFileError(`${problem.at.slice(1)}: ${problem.message}`);
  return parsed.data;
}

function tomlOf(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The message of the library shows the line, which may have a password.
    throw new LdapFileError(`line ${error.line}, column ${error.column}: it is no TOML`);
  }
}

const REFERENCE = /\$__(env|file)\{([^}]*)\}|\$\{([^}]*)\}/g;

function expanded(value: unknown, sources: Sources): unknown {
  if (typeof value === 'string') return withReferences(value, sources);
  if (Array.isArray(value)) return value.map((element) => expanded(element, sources));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expanded(member, sources)]));
}

function withReferences(text: string, { env, readFile }: Sources): string {
  return text.replaceAll(REFERENCE, (_, kind: string | undefined, name = '', variable = '') => {
    if (kind === 'file') return readFile(name).trim();
    const key = kind === 'env' ? name : variable;
    const value = env[key];
    if (value === undefined) throw new LdapFileError(`the variable ${key} is not set`);
    return value;
  });
}
