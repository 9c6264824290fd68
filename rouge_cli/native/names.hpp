// Names of systems, which records repeat, as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rouge {

// Numbers names in the order in which they first occur.
class Names {
public:
    std::uint32_t number(std::string_view name) {
        // Records of a system often follow each other.
        if (!names_.empty() && name == names_[last_]) return last_;
        const auto [found, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.emplace_back(name);
        return last_ = found->second;
    }

    std::vector<std::string> all() const { return names_; }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::uint32_t last_ = 0;
};

}  // namespace rouge
