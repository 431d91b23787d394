// Lists the modules of the package, which are loaded on demand, and the methods that each adds to an engine.

import type { CastMethods } from '../casts/casts.js';
import type { ContinuousMethods } from '../ccd/continuous.js';
import type { EngineModule } from '../core/module.js';
import type { GpuMethods } from '../gpu/gpu.js';
import type { SpheresMethods } from '../hybrid/spheres.js';
import type { ManifoldMethods } from '../manifolds/manifolds.js';
import type { StoredMethods } from '../mesh/stored.js';
import type { DeformingMethods } from '../narrowphase/deforming.js';
import type { PointsMethods } from '../points/points.js';
import type { ProximityMethods } from '../proximity/proximity.js';
import type { RaysMethods } from '../rays/rays.js';
import type { ScenesMethods } from '../scene/scenes.js';

/**
 * Name of a module: an optional part of the package that adds methods or options to an engine. Without
 * modules, an engine only queries meshes. The modules add:
 * - 'scenes': `boxPairs`, `createBroadPhase` and `createScene`.
 * - 'stored': `loadMesh`, and `serialize` of meshes.
 * - 'continuous': `sweep`, `sweepVertices`, `sweepFeatures`, `contactTimes`, `edgesOf`, and continuous
 *   `detect` of scenes. Needs 'scenes'.
 * - 'deforming': `selfQuery`, the options of `update`, and a policy that decides when `update` rebuilds a
 *   tree.
 * - 'gpu': `async`.
 * - 'spheres': the option `volume: 's-aabb'` of `createMesh`.
 * - 'proximity': `distance`, `contains`, `penetration`, `classify`, `queryPoses`, `queryEdges` and
 *   `placeChain`; queries with a clearance, a certificate, segments or bitsets.
 * - 'points': `closestPoints` and `containsPoints`.
 * - 'rays': `castRays`.
 * - 'manifolds': `contacts`, and `detect` of scenes with `narrow: 'contacts'`.
 * - 'casts': `castSphere`, `castCapsule`, `castMesh`, `overlapSphere`, `overlapCapsule` and `overlapBox`.
 */
export type ModuleName =
  | 'scenes'
  | 'stored'
  | 'continuous'
  | 'deforming'
  | 'gpu'
  | 'spheres'
  | 'proximity'
  | 'points'
  | 'rays'
  | 'manifolds'
  | 'casts';

/** The methods that each module adds to an engine. */
interface MethodsByModule {
  scenes: ScenesMethods;
  stored: StoredMethods;
  continuous: ContinuousMethods;
  deforming: DeformingMethods;
  gpu: GpuMethods;
  spheres: SpheresMethods;
  proximity: ProximityMethods;
  points: PointsMethods;
  rays: RaysMethods;
  manifolds: ManifoldMethods;
  casts: CastMethods;
}

/**
 * The methods that the modules `Names` add to an engine. 'continuous' needs 'scenes', so it also adds the
 * methods of 'scenes'.
 */
export type MethodsOf<Names extends ModuleName> = ('scenes' extends Names
  ? ScenesMethods
  : 'continuous' extends Names
    ? ScenesMethods
    : unknown) &
  ('stored' extends Names ? StoredMethods : unknown) &
  ('continuous' extends Names ? ContinuousMethods : unknown) &
  ('deforming' extends Names ? DeformingMethods : unknown) &
  ('gpu' extends Names ? GpuMethods : unknown) &
  ('proximity' extends Names ? ProximityMethods : unknown) &
  ('points' extends Names ? PointsMethods : unknown) &
  ('rays' extends Names ? RaysMethods : unknown) &
  ('manifolds' extends Names ? ManifoldMethods : unknown) &
  ('casts' extends Names ? CastMethods : unknown);

interface ModuleEntry<Name extends ModuleName> {
  methods: readonly (keyof MethodsByModule[Name])[];
  needs?: readonly ModuleName[];
  load: () => Promise<{ readonly [Key in Name]: EngineModule<MethodsByModule[Name]> }>;
}

/**
 * One entry per module: its methods, the modules whose kernels it needs, and where it is loaded from. The
 * kernel file of a module, if any, has the module's name.
 */
export const moduleTable: { readonly [Name in ModuleName]: ModuleEntry<Name> } = {
  scenes: {
    methods: ['boxPairs', 'createBroadPhase', 'createScene'],
    load: () => import('../scene/scenes.js'),
  },
  stored: { methods: ['loadMesh'], load: () => import('../mesh/stored.js') },
  continuous: {
    methods: ['sweepVertices', 'sweep', 'sweepFeatures', 'contactTimes', 'edgesOf'],
    needs: ['scenes'],
    load: () => import('../ccd/continuous.js'),
  },
  deforming: {
    methods: ['selfQuery'],
    load: () => import('../narrowphase/deforming.js'),
  },
  spheres: { methods: [], load: () => import('../hybrid/spheres.js') },
  proximity: {
    methods: [
      'distance',
      'penetration',
      'contains',
      'classify',
      'closeGaps',
      'queryPoses',
      'queryEdges',
      'placeChain',
    ],
    load: () => import('../proximity/proximity.js'),
  },
  points: {
    methods: ['closestPoints', 'containsPoints'],
    load: () => import('../points/points.js'),
  },
  rays: { methods: ['castRays'], load: () => import('../rays/rays.js') },
  casts: {
    methods: ['castSphere', 'castCapsule', 'castMesh', 'overlapSphere', 'overlapCapsule', 'overlapBox'],
    load: () => import('../casts/casts.js'),
  },
  manifolds: {
    methods: ['contacts'],
    load: () => import('../manifolds/manifolds.js'),
  },
  gpu: { methods: ['async'], load: () => import('../gpu/gpu.js') },
};
