import { messageOf } from '../../../pkg/system/errors/message.js';
import type { ErrorCodec } from '../../../pkg/system/ipc/calls.js';

/** The channels between the supervisor and a worker. */
export const STORE = 'store';
export const SERVER = 'server';
/** The variable of the environment with the number of a worker, from 0. */
export const SLOT = 'WORKER_OF_DASHBOARD_APISERVER';

export const sentErrors: ErrorCodec = {
  encode: messageOf,
  decode: (message) => new Error(String(message)),
};
