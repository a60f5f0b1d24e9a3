import { expect } from 'chai';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { Client } from '../../../registry/client/client.js';
import { person } from '../../access/people.js';
import { ADMIN } from '../../harness/server.js';
import type { Subject } from '../suite/subject.js';
import { BY_TAG, BY_TIME, HOUR, type NoteSpec } from './kind.js';

/** Tests reads by declared indexes. */
export function indexes(subject: Subject): void {
  const { server } = subject;
  const notes = (user = ADMIN) => {
    const { registry } = server().api;
    return new Client(registry, { user }).objects<NoteSpec>(registry.compiled.get('note/Note'), 'default');
  };
  const textsOf = (objects: Iterable<KubeObject<NoteSpec>>, limit = Number.POSITIVE_INFINITY) => {
    const texts: (string | undefined)[] = [];
    for (const { spec } of objects) {
      texts.push(spec?.text);
      if (texts.length === limit) break;
    }
    return texts;
  };

  describe('indexes', () => {
    before(async () => {
      const create = (hour: number) => {
        const spec = { text: `at ${hour}`, time: 1e12 + hour * HOUR, tags: [hour % 2 === 0 ? 'even' : 'odd', 'any'] };
        return notes().create({ metadata: { name: `i-${hour}`, namespace: 'default' }, spec });
      };
      await Promise.all(Array.from({ length: 250 }, (_, hour) => create(hour)));
    });

    it('can be read in both directions, between bounds', async () => {
      const range = { index: BY_TIME, prefix: ['default'], from: [1e12 + 3 * HOUR], to: [1e12 + 6 * HOUR] };
      expect(textsOf(notes().list(range))).to.deep.equal(['at 3', 'at 4', 'at 5']);
      expect(textsOf(notes().list({ ...range, reverse: true }))).to.deep.equal(['at 5', 'at 4', 'at 3']);
      const newest = { index: BY_TAG, prefix: ['default', 'even'], reverse: true };
      expect(textsOf(notes().list(newest), 2)).to.deep.equal(['at 248', 'at 246']);
    });

    it('are read at one revision over many pages', async () => {
      const found: string[] = [];
      for (const { metadata, spec } of notes().list({ index: BY_TAG, prefix: ['default', 'any'] })) {
        found.push(spec?.text ?? '');
        if (metadata.name !== 'i-0') continue;
        await notes().delete('i-200');
        await notes().update('i-249', (old) => ({ ...old, spec: { text: 'late', time: 0, tags: ['any'] } }));
      }
      expect(found).to.deep.equal(Array.from({ length: 250 }, (_, hour) => `at ${hour}`));
      expect(notes().find('i-200')).to.equal(undefined);
    });

    it('are read as one, in one order, if a caller wants several ranges', async () => {
      const from = [1e12 + 230 * HOUR];
      const ranges = ['even', 'odd', 'none'].map((tag) => ({ index: BY_TAG, prefix: ['default', tag], from }));
      const expected = Array.from({ length: 19 }, (_, i) => `at ${230 + i}`);
      expect(textsOf(notes().list(ranges))).to.deep.equal(expected);
      const descending = ranges.map((range) => ({ ...range, reverse: true }));
      expect(textsOf(notes().list(descending))).to.deep.equal([...expected].reverse());
      expect(textsOf(notes().list([]))).to.deep.equal([]);
      const both = ['any', 'even'].map((tag) => ({ index: BY_TAG, prefix: ['default', tag] }));
      expect(textsOf(notes().list(both), 5)).to.deep.equal(['late', 'at 0', 'at 1', 'at 2', 'at 3']);
      expect(textsOf(notes().list(both))).to.have.length(249);
    });

    it('are counted', () => {
      const counts = [...notes().counts(BY_TAG, ['default'], 2)];
      const expected = Object.entries({ any: 249, even: 124, odd: 124 });
      for (const [tag, count] of expected) expect(counts).to.deep.include({ tuple: ['default', tag], count });
      expect(counts.map(({ tuple }) => tuple[1])).to.deep.equal(counts.map(({ tuple }) => tuple[1]).sort());
      const sum = counts.reduce((total, { count }) => total + count, 0);
      expect([...notes().counts(BY_TAG, [], 1)]).to.deep.equal([{ tuple: ['default'], count: sum }]);
      expect(notes().countOf(BY_TAG, ['default', 'even'])).to.equal(124);
      expect(notes().countOf(BY_TAG, ['default', 'eve'])).to.equal(0);
    });

    it('find objects by their integer id', async () => {
      const { metadata } = notes().get('i-7');
      const id = Number(metadata.labels?.['svc.app/deprecatedInternalID']);
      expect(notes().findById(id)?.metadata.name).to.equal('i-7');
      expect(notes().findById(1e9)).to.equal(undefined);
    });

    it('return only objects that the caller may view', async () => {
      const stranger = notes(person('stranger'));
      expect(textsOf(stranger.list({ index: BY_TIME, prefix: ['default'] }))).to.deep.equal([]);
      expect(refusal(() => stranger.get('i-7'))).to.equal('Forbidden');
      expect(refusal(() => notes().get('i-none'))).to.equal('NotFound');
    });
  });
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.reason;
    throw error;
  }
  return 'none';
}
