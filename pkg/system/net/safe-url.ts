import { isLoopback } from './address.js';

/** Whether nobody between can read and change what is sent: HTTPS, or HTTP on this machine. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
