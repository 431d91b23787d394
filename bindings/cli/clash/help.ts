// The text that `pfront clash --help` prints.
export const clashHelp = `pfront clash FILE [FILE ...]

Finds every pair of parts that share a point, by exact tests, and classifies each pair.
All files form one scene; parts of the same file are also tested against each other.
Reads .glb, .gltf, .obj, .stl, .ply, .off and .3mf. If the package in parentheses is
installed, also reads .ifc (web-ifc), .step, .stp, .iges and .igs (occt-import-js),
and glTF that is compressed with meshopt (meshoptimizer) or Draco (draco3d). Each file
may be compressed with gzip (.gz).

Classes, worst first:
  hard        the parts penetrate each other
  contained   one part lies entirely inside the other
  clearance   the parts are apart, but not by more than --clearance
  coplanar    the parts touch along faces, without penetration
  touch       the parts touch at points or along lines, without penetration

  --clearance LENGTH   also find parts at most this far apart, such as 25mm
  --tolerance LENGTH   an overlap of at most this depth is coplanar or touch, not
                       hard; such as 1mm
  --deflection LENGTH  how far the triangles of .step and .iges files may be from
                       curved surfaces; default: 0.1mm
  --units UNIT         unit of .obj, .stl, .ply and .off files: mm, cm, m, in or ft;
                       the other formats store their unit
  --up AXIS            up axis of the scene, y or z. glTF has y up, IFC has z up;
                       files with the other axis are rotated. Default: no rotation
  --classes LIST       classes to list, such as hard,contained, or all; default:
                       hard,contained,clearance. The others are only counted
  --allow FILE         pairs that may clash, one per line: PART A, PART B.
                       Each is a name, a type or a GlobalId; * matches any
                       characters; a tab may replace the comma. A line may end
                       with the classes that are allowed: PART A, PART B, touch
  --between A B        test only the parts of the set A against those of the set B
  --rules FILE.json    test only the pairs that the rules of the file ask for, each
                       with its own tolerance, clearance and classes; also reads
                       the clash sets of ifcclash
  --include-related    also list clashes between an IFC element and an element that
                       fills its opening, and between pieces of one assembly;
                       default: only counted
  --group BY           one row of the table for each group of clashes, by type, part,
                       storey, assembly or cluster (parts that are connected by
                       clashes); the groups are also in the JSON, CSV, JUnit and BCF
                       files and in the page
  --fail-on LIST       also list these classes, and exit with 1 if a clash that is not
                       allowed has one of them. With \`any\` as LIST, exit with 1 if
                       any clash is listed
  --json               print one JSON object to standard output
  --regions            with --json, --csv or --report: also list the contact regions
                       of each clash, with the depth and volume of the overlap at each
  --report FILE.html   write a page that shows the parts and their clashes; it opens
                       from disk in a browser and needs no other file
  --certify FILE.json  write a proof that no clash is missing, which \`pfront verify\`
                       checks; not with --clearance, --between or --rules
  --csv FILE.csv       write the listed clashes as a table for spreadsheet programs
  --junit FILE.xml     write the clashes as JUnit XML, which CI systems read
  --baseline OLD.json  compare with the --json output of an earlier run: which clashes
                       are new, still open or resolved. Only new clashes count for
                       --fail-on
  --bcf FILE.bcf       write a topic for each listed clash, with a viewpoint and a
                       picture, in the BIM Collaboration Format
  --bcf-version V      version of that format, 2.1 or 3.0; default: 2.1
  --ifc-limits N       multiply the time and memory limits for .ifc files by N
  --cad-limits N       the same for .step and .iges files
  --split components   split every part into its connected components
  --max-unpack-ratio N a .gz or .3mf file may unpack to 64 MiB or N times its size,
                       whichever is more; default: 50
  --jobs N             read up to N files at the same time, with a total size of at
                       most 256 MiB; default: the number of cores
  --stats              print work per thread, balance and memory
  --threads N          number of threads, 1 to 256; default: all cores
  --help               print this text

A set is * or a list of terms joined by & (and) or | (or). A term is file:, name:,
type: (IFC class), objectType:, id:, storey:, layer:, system:, assembly: or
property:, followed by a pattern; ! before a term negates the term. To match the value
of a property, add = and a pattern: property:FireRating=60*.
  --between 'type:IfcPipeSegment & storey:Level 1' 'type:IfcWall | type:IfcSlab'

Motion: finds the parts that come into contact while an animation of a glTF file or the
trajectory of a robot moves them. The search is continuous: it covers all times between
the keys. The parts of other files do not move. This search also takes
--clearance, --units, --up, --allow, --json, --csv, --junit, --bcf, --bcf-version,
--baseline (pairs that are new, still open or resolved), --threads, --jobs and the limits
above.
  --animation NAME     the animation; all: each animation in turn, except those that
                       deform a part
  --robot FILE.urdf    a robot; requires the package libxml2-wasm
  --trajectory FILE    the motion of its joints: a .csv file with the header
                       time,joint1,joint2, or a .json file like JointTrajectory of ROS
  --srdf FILE.srdf     pairs of links that are not tested
  --report FILE.html   write a page with the moving parts in 3D and a timeline
  --margin LENGTH      parts at most this far apart are near or in contact; default:
                       0.01mm
  --fail-on LIST       exit with 1 if a pair that is not allowed has one of these
                       classes: contact, near (at most the margin apart, but no shared
                       point was found), clearance; or any

A length has a unit (mm, cm, m, in, ft); without one it is in the unit of the files.
Each option may be given once. An option that cannot have an effect, such as
--ifc-limits without an .ifc file, is refused.

Exit codes: 0 done, 1 clashes that --fail-on names, 2 bad input, 3 internal error of
pfront, 4 some elements could not be read, or some animations could not be checked, so
clashes may be missing (4 takes precedence over 1).`;
