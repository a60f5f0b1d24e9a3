import type { Settings } from '../../pkg/config/schema.js';
import { isLoopback } from '../../pkg/system/net/address.js';

/** Whether only this machine can reach the server. */
export const isLoopbackOnly = ({ server }: Pick<Settings, 'server'>): boolean =>
  [
    { address: server.http_addr, port: server.http_port },
    { address: server.https_addr, port: server.https_port },
  ].every(({ address, port }) => port === -1 || isLoopback(address));
