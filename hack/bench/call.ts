import type { BenchServer } from './server.js';

/** A request of the administrator. Returns the answer as JSON, or undefined if it is empty. Rejects for a failure. */
export async function call<Body = unknown>(
  { http, token }: BenchServer,
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
): Promise<Body> {
  const answer = await fetch(new URL(path, http), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}
