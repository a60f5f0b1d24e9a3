import { expect } from 'chai';
import { forbidden } from '../../pkg/kube/status/errors.js';
import type { Kind } from '../kinds/kind.js';
import type { Report, ReportedWrite, Reports } from '../kinds/reports.js';
import { LAMP, ROOM } from '../testing/house.js';
import { ANN } from '../testing/served.js';
import { type PendingReport, reportRefusals, reportsOf } from './reporting.js';

const LAMP_A = { apiVersion: LAMP.apiVersion, kind: 'Lamp', metadata: { name: 'a', uid: 'as-uid' } };
const SAID = { reason: 'Deleted', type: 'Normal', message: 'It is gone.' } as const;
const ABOUT = { apiVersion: 'house.svc.app/v1', kind: 'Lamp', namespace: 'hall', name: 'a' };

function toldBy(work: (registry: { readonly report: (report: Report) => void }) => void): readonly Report[] {
  const reports: Report[] = [];
  work({ report: (report) => reports.push(report) });
  return reports;
}
const withReports = (reports: Reports, kind: Kind = LAMP): Kind => ({ ...kind, reports });
const write = (kind: Kind, more: Partial<PendingReport> = {}): PendingReport => ({
  verb: 'delete',
  kind,
  namespace: 'hall',
  object: LAMP_A,
  ...more,
});
const written = (...writes: readonly PendingReport[]) => reportsOf(ANN, writes);

describe('what people are told about writes', () => {
  it('is what the kind says, about the object', () => {
    expect(written(write(withReports({ written: () => SAID })))).to.deep.equal([
      { ...SAID, about: ABOUT, uid: 'as-uid' },
    ]);
    const uidless = { ...LAMP_A, metadata: { name: 'a' } };
    expect(written(write(withReports({ written: () => SAID }), { object: uidless }))).to.deep.equal([
      { ...SAID, about: ABOUT },
    ]);
  });

  it('follows from the verb, the object, the caller and what was deleted with it', () => {
    const seen: ReportedWrite[] = [];
    const kind = withReports({
      written: (one) => {
        seen.push(one);
        return undefined;
      },
    });
    const took = new Map([['Lamp', 2]]);
    expect(written(write(kind, { took }), write(kind, { verb: 'create' }))).to.deep.equal([]);
    expect(seen).to.deep.equal([
      { verb: 'delete', object: LAMP_A, by: 'ann', took },
      { verb: 'create', object: LAMP_A, by: 'ann', took: new Map() },
    ]);
  });

  it('is nothing for kinds that say nothing, and the others are told', () => {
    const kinds = [
      LAMP,
      withReports({}),
      withReports({ written: () => undefined }),
      withReports({ written: () => SAID }),
    ];
    expect(written(...kinds.map((kind) => write(kind)))).to.have.length(1);
  });

  it('has no namespace for objects of the cluster', () => {
    const [report] = written(write(withReports({ written: () => SAID }, ROOM)));
    expect(report?.about).to.deep.equal({ ...ABOUT, kind: 'Room', namespace: '' });
  });

  it('is nothing if nobody listens', () => {
    const kind = withReports({ refused: () => SAID });
    const refusal = { kind, namespace: 'hall', name: 'a', error: forbidden(LAMP, 'a', 'no') };
    expect(() => reportRefusals({} as never, [refusal])).to.not.throw();
  });
});

describe('what people are told about refused writes', () => {
  const refused = (kind: Kind, error: unknown) =>
    toldBy((registry) => reportRefusals(registry as never, [{ kind, namespace: 'hall', name: 'a', error }]));
  const error = forbidden(LAMP, 'a', 'no');

  it('is what the kind says about the refusal', () => {
    const kind = withReports({ refused: ({ code }) => ({ ...SAID, message: String(code) }) });
    expect(refused(kind, error)).to.deep.equal([{ ...SAID, message: '403', about: ABOUT }]);
    expect(refused(withReports({ refused: () => SAID }, ROOM), error)[0]?.about.namespace).to.equal('');
  });

  it('is nothing for failures that are no refusals, and for kinds that say nothing', () => {
    expect(refused(withReports({ refused: () => SAID }), new Error('a defect'))).to.deep.equal([]);
    for (const kind of [LAMP, withReports({}), withReports({ refused: () => undefined })])
      expect(refused(kind, error)).to.deep.equal([]);
  });
});
