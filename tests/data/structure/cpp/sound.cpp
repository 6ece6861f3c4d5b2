#include <vector>

template <typename T>
T first(const std::vector<T>& items) {
    return items.at(0);
}
