import acts from './lexicon/acts.json' with { type: 'json' }
import doing from './lexicon/doing.json' with { type: 'json' }
import everyday from './lexicon/everyday.json' with { type: 'json' }
import food from './lexicon/food.json' with { type: 'json' }
import goods from './lexicon/goods.json' with { type: 'json' }
import hobbies from './lexicon/hobbies.json' with { type: 'json' }
import home from './lexicon/home.json' with { type: 'json' }
import materials from './lexicon/materials.json' with { type: 'json' }
import parts from './lexicon/parts.json' with { type: 'json' }
import people from './lexicon/people.json' with { type: 'json' }
import places from './lexicon/places.json' with { type: 'json' }
import properties from './lexicon/properties.json' with { type: 'json' }
import service from './lexicon/service.json' with { type: 'json' }
import tech from './lexicon/tech.json' with { type: 'json' }
import textile from './lexicon/textile.json' with { type: 'json' }
import things from './lexicon/things.json' with { type: 'json' }
import traits from './lexicon/traits.json' with { type: 'json' }
import wear from './lexicon/wear.json' with { type: 'json' }

export const lexicon = [
  properties,
  textile,
  home,
  tech,
  people,
  everyday,
  wear,
  parts,
  materials,
  food,
  goods,
  doing,
  places,
  service,
  acts,
  traits,
  things,
  hobbies,
]
