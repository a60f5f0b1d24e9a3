import { AuditNotes } from '../audit/notes.js';
import type { AuditTrail } from '../audit/trail.js';
import { after, type Context, type Done, type Middleware } from '../pipeline.js';

/**
 * Records requests in the audit log, after they are answered and before the answer is sent. So when a client gets the
 * answer to a write, the event is at least in the buffer of the log. A watch has an event when it begins and one when
 * it ends.
 */
export function audit(trail: AuditTrail): Middleware {
  const record = ({ res, state }: Context): Done => {
    const recording = trail.recordingOf(state);
    if (recording === undefined) return undefined;
    if (state.response?.longRunning !== true) return recording('ResponseComplete');
    res.on('close', () => void recording('ResponseComplete'));
    return recording('ResponseStarted');
  };
  return (ctx, next) => {
    ctx.state.audit = new AuditNotes();
    return after(next(), ctx, record);
  };
}
