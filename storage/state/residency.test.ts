import { expect } from 'chai';
import { ResidencyCheck, residencyPeriod } from './residency.js';

describe('what is in the page cache', () => {
  const counted = (load = async (): Promise<void> => undefined) => {
    const counter = { looks: 0 };
    const residence = new ResidencyCheck(() => {
      counter.looks++;
      return load();
    });
    return { counter, residence };
  };

  it('is looked at once for all who ask, and not before somebody asks', async () => {
    const { counter, residence } = counted();
    expect(counter.looks).to.equal(0);
    const [first, second] = [residence.whenResident(), residence.whenResident()];
    expect(first).to.be.a('promise').and.to.equal(second);
    await first;
    expect(counter.looks).to.equal(1);
  });

  it('is not looked at again in the same period, but in the next one', async () => {
    const { counter, residence } = counted();
    await residence.whenResident();
    const seen = residencyPeriod();
    expect(residence.whenResident(seen)).to.equal(undefined);
    await residence.whenResident(seen + 1);
    expect(counter.looks).to.equal(2);
  });

  it('fails no request if it cannot be loaded', async () => {
    const { residence } = counted(() => Promise.reject(new Error('the disk is gone')));
    await residence.whenResident();
    expect(residence.whenResident()).to.equal(undefined);
  });
});
