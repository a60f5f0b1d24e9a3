import { readFile } from 'node:fs/promises';
import { decodeYaml } from '../../kube/json/decode.js';
import { messageOf } from '../../system/errors/message.js';
import { Policy } from './policy.js';

/** Reads a policy in YAML or JSON. Rejects with a sentence for the operator. */
export async function readPolicy(path: string): Promise<Policy> {
  const parsed = Policy.safeParse(await read(path));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: at, message }) => `${at.join('.') || 'the policy'}: ${message}`);
  throw new Error(`audit.policy_file: ${path} is not an audit policy: ${problems.join('; ')}.`);
}

async function read(path: string): Promise<unknown> {
  try {
    return decodeYaml(await readFile(path)).value;
  } catch (cause) {
    throw new Error(`audit.policy_file: cannot read ${path}: ${messageOf(cause)}.`, { cause });
  }
}
