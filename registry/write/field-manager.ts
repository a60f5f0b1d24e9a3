import type { ApiRequest } from '../../pkg/http/handler.js';

const LONGEST = 128;

/**
 * The name under which the fields that a request writes are managed: its parameter `fieldManager`, or what it calls
 * itself.
 */
export function fieldManagerOf({ query, headers }: Pick<ApiRequest, 'query' | 'headers'>): string {
  return query.get('fieldManager') || programOf(headers['user-agent']) || 'unknown';
}

/** The name of the program in a User-Agent, such as `kubectl` of `kubectl/v1.32.0 (linux/amd64)`. */
function programOf(userAgent = ''): string {
  const [program = ''] = userAgent.split('/', 1);
  return program.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST);
}
