// An IFC model -> the unit that its lengths are in.
import type { IfcAPI } from 'web-ifc';
import { METRES, UNITS, type Unit } from './units.js';

const PREFIXES: Record<string, number> = {
  KILO: 1e3,
  HECTO: 1e2,
  DECA: 10,
  DECI: 0.1,
  CENTI: 0.01,
  MILLI: 0.001,
  MICRO: 1e-6,
};

/**
 * Metres, which web-ifc counts in, where the unit is none of those named here; undefined where the model has
 * none. project: the number of IfcProject's type.
 */
export function lengthUnit(api: IfcAPI, model: number, project: number): Unit | undefined {
  const line = (reference: { value: number }) => api.GetLine(model, reference.value);
  for (const number of api.GetLineIDsWithType(model, project)) {
    const { UnitsInContext } = api.GetLine(model, number);
    for (const reference of UnitsInContext ? line(UnitsInContext).Units : []) {
      const unit = line(reference);
      if (unit.UnitType?.value !== 'LENGTHUNIT') continue;
      const factor = unit.ConversionFactor && line(unit.ConversionFactor);
      const metres = factor
        ? factor.ValueComponent.value * prefixOf(line(factor.UnitComponent))
        : prefixOf(unit);
      return UNITS.find(name => Math.abs(METRES[name] / metres - 1) < 1e-9) ?? 'm';
    }
  }
  return undefined;
}

function prefixOf({ Prefix }: { Prefix?: { value: string } | null }): number {
  return Prefix ? (PREFIXES[Prefix.value] ?? NaN) : 1;
}
